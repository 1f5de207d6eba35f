//! Files of arrays: NumPy's `.npy` and `.npz`, and `.safetensors`. Arrays are read in pieces, so that they may be larger than memory; in a
//! browser, which has no files, all bytes are in memory.

use super::TensorError;
use super::element::Element;
use safetensors::tensor::Metadata;
use std::fs::File;
use std::io::{self, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
#[cfg(not(target_family = "wasm"))]
use zip::ZipArchive;

/// The longest header of a `.safetensors` file, in bytes.
const LONGEST_HEADER: u64 = 100_000_000;

/// The longest header of a `.npy` file, in bytes.
const LONGEST_NPY_HEADER: u32 = 1_000_000;

/// The deepest nesting of brackets in the header of a `.npy` file; plain numbers need two levels.
const DEEPEST_NPY_HEADER: usize = 8;

/// A file with arrays.
#[derive(Clone, Debug)]
pub struct TensorFile {
    path: PathBuf,
    /// Its bytes, if they are in memory.
    bytes: Option<Bytes>,
    /// The arrays of numbers, in the order of the file.
    pub arrays: Vec<Array>,
    /// The names and types of other content of the file.
    pub others: Vec<(String, String)>,
}

/// Bytes that several readers share without copying.
#[derive(Clone, Debug)]
struct Bytes(Arc<Vec<u8>>);

impl AsRef<[u8]> for Bytes {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// A source that can be read and seeked.
trait Seekable: Read + Seek {}

impl<T: Read + Seek> Seekable for T {}

/// An array in a file.
#[derive(Clone, Debug)]
pub struct Array {
    /// Its name; for a `.npy` file, the name of the file.
    pub name: String,
    /// The type of its elements.
    pub element: Element,
    /// The lengths of its axes.
    pub shape: Vec<u64>,
    place: Place,
}

/// The location of the elements.
#[derive(Clone, Debug)]
enum Place {
    /// From this byte offset of the file on.
    Offset(u64),
    /// In this member of an archive, after a header.
    #[cfg(not(target_family = "wasm"))]
    Member(usize),
}

impl Array {
    /// The number of elements.
    pub fn len(&self) -> u64 {
        self.shape.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl TensorFile {
    /// Reads which arrays a file holds.
    ///
    /// # Errors
    /// When the file cannot be read, has an unknown type, or is damaged.
    pub fn open(path: &Path) -> Result<TensorFile, TensorError> {
        TensorFile::listed(path, None)
    }

    /// Like [`Self::open`], for a file with this name whose bytes are in memory.
    ///
    /// # Errors
    /// When it has an unknown type or is damaged.
    pub fn of_bytes(name: &str, bytes: Vec<u8>) -> Result<TensorFile, TensorError> {
        TensorFile::listed(Path::new(name), Some(Bytes(Arc::new(bytes))))
    }

    fn listed(path: &Path, bytes: Option<Bytes>) -> Result<TensorFile, TensorError> {
        let mut file = TensorFile { path: path.into(), bytes, arrays: vec![], others: vec![] };
        let extension = path.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        match extension.as_str() {
            "npy" => file.list_npy()?,
            #[cfg(not(target_family = "wasm"))]
            "npz" => file.list_npz()?,
            #[cfg(target_family = "wasm")]
            "npz" => return Err(TensorError::Archive { path: path.display().to_string() }),
            "safetensors" => file.list_safetensors()?,
            _ => return Err(TensorError::Kind { path: path.display().to_string() }),
        }
        Ok(file)
    }

    /// Reads the elements of an array in order.
    ///
    /// # Errors
    /// When the file can no longer be read.
    pub fn read(
        &self,
        array: &Array,
        mut take: impl FnMut(&mut dyn Read) -> Result<(), TensorError>,
    ) -> Result<(), TensorError> {
        match array.place {
            Place::Offset(offset) => {
                let mut file = self.file()?;
                file.seek(SeekFrom::Start(offset)).map_err(self.unreadable())?;
                take(&mut BufReader::with_capacity(1 << 20, file))
            }
            #[cfg(not(target_family = "wasm"))]
            Place::Member(index) => {
                let mut archive = self.archive()?;
                let mut member = archive.by_index(index).map_err(|error| self.damaged(error))?;
                npy_header(&mut member).map_err(|error| self.damaged(error))?;
                take(&mut BufReader::with_capacity(1 << 20, member))
            }
        }
    }

    /// The error if the file's bytes cannot be read.
    pub fn unreadable(&self) -> impl Fn(std::io::Error) -> TensorError {
        let path = self.path.display().to_string();
        move |source| match source.kind() {
            std::io::ErrorKind::UnexpectedEof => {
                TensorError::Damaged { path: path.clone(), why: "it ends before its last element".into() }
            }
            _ => TensorError::Unreadable { path: path.clone(), source },
        }
    }

    fn damaged(&self, why: impl ToString) -> TensorError {
        TensorError::Damaged { path: self.path.display().to_string(), why: why.to_string() }
    }

    fn file(&self) -> Result<Box<dyn Seekable>, TensorError> {
        if let Some(bytes) = &self.bytes {
            return Ok(Box::new(Cursor::new(bytes.clone())));
        }
        let file = File::open(&self.path).map_err(self.unreadable())?;
        if file.metadata().map_err(self.unreadable())?.is_dir() {
            return Err(self.unreadable()(std::io::ErrorKind::IsADirectory.into()));
        }
        Ok(Box::new(file))
    }

    #[cfg(not(target_family = "wasm"))]
    fn archive(&self) -> Result<ZipArchive<BufReader<Box<dyn Seekable>>>, TensorError> {
        ZipArchive::new(BufReader::new(self.file()?)).map_err(|error| self.damaged(error))
    }

    fn list_npy(&mut self) -> Result<(), TensorError> {
        let mut file = self.file()?;
        let header = npy_header(&mut file).map_err(|error| self.damaged(error))?;
        let offset = file.stream_position().map_err(self.unreadable())?;
        let name = self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        self.list(name, &header, Place::Offset(offset))
    }

    #[cfg(not(target_family = "wasm"))]
    fn list_npz(&mut self) -> Result<(), TensorError> {
        let mut archive = self.archive()?;
        for index in 0..archive.len() {
            let mut member = archive.by_index(index).map_err(|error| self.damaged(error))?;
            let name = member.name().map_err(|error| self.damaged(error))?.into_owned();
            let Some(name) = name.strip_suffix(".npy").map(String::from) else { continue };
            let header = npy_header(&mut member).map_err(|error| self.damaged(format!("`{name}`: {error}")))?;
            self.list(name, &header, Place::Member(index))?;
        }
        Ok(())
    }

    fn list(&mut self, name: String, header: &npyz::NpyHeader, place: Place) -> Result<(), TensorError> {
        let descr = header.dtype().descr();
        match Element::of_numpy(&header.dtype()) {
            Some(element) => {
                let shape = header.shape().to_vec();
                if bytes(element, &shape).is_none() {
                    return Err(self.damaged(format!("the shape of `{name}` is larger than any file")));
                }
                self.arrays.push(Array { name, element, shape, place });
            }
            None => self.others.push((name, descr.trim_matches('\'').to_string())),
        }
        Ok(())
    }

    fn list_safetensors(&mut self) -> Result<(), TensorError> {
        let mut file = self.file()?;
        let length = file.seek(SeekFrom::End(0)).map_err(self.unreadable())?;
        file.rewind().map_err(self.unreadable())?;
        let mut size = [0; 8];
        file.read_exact(&mut size).map_err(self.unreadable())?;
        let size = u64::from_le_bytes(size);
        if size > LONGEST_HEADER.min(length.saturating_sub(8)) {
            return Err(self.damaged("its header is longer than the file or than 100 MB"));
        }
        let mut header = vec![0; size as usize];
        file.read_exact(&mut header).map_err(self.unreadable())?;
        let metadata: Metadata = serde_json::from_slice(&header).map_err(|error| self.damaged(error))?;
        for name in metadata.offset_keys() {
            let info = metadata.info(&name).expect("a name of the header");
            let shape: Vec<u64> = info.shape.iter().map(|&axis| axis as u64).collect();
            let Some(element) = Element::of_safetensors(info.dtype) else {
                self.others.push((name, format!("{:?}", info.dtype)));
                continue;
            };
            let array = Array { name, element, shape, place: Place::Offset(8 + size + info.data_offsets.0 as u64) };
            let (from, to) = (info.data_offsets.0 as u64, info.data_offsets.1 as u64);
            if bytes(element, &array.shape) != to.checked_sub(from) || to.saturating_add(8 + size) > length {
                return Err(self.damaged(format!("`{}` is not where the header says", array.name)));
            }
            self.arrays.push(array);
        }
        Ok(())
    }
}

/// The size of an array in bytes, unless that overflows.
fn bytes(element: Element, shape: &[u64]) -> Option<u64> {
    shape.iter().try_fold(element.bytes() as u64, |bytes, &axis| bytes.checked_mul(axis))
}

/// The header of a `.npy` file. Its length is checked first, since that much memory is allocated, and then the nesting of its brackets,
/// since each level doubles the time of its parser.
fn npy_header(mut reader: impl Read) -> io::Result<npyz::NpyHeader> {
    let invalid = |why: &'static str| Err(io::Error::new(io::ErrorKind::InvalidData, why));
    let mut start = vec![];
    reader.by_ref().take(12).read_to_end(&mut start)?;
    if let [0x93, b'N', b'U', b'M', b'P', b'Y', version, _, length @ ..] = start.as_slice()
        && let Ok(length) = <[u8; 4]>::try_from(length)
    {
        // The length has two bytes in version 1, and four bytes later.
        let (length, read) = match version {
            1 => (u32::from(u16::from_le_bytes([length[0], length[1]])), 2),
            _ => (u32::from_le_bytes(length), 0),
        };
        if length > LONGEST_NPY_HEADER {
            return invalid("its header is longer than 1 MB");
        }
        reader.by_ref().take(u64::from(length).saturating_sub(read)).read_to_end(&mut start)?;
        if depth(&start) > DEEPEST_NPY_HEADER {
            return invalid("its header has too many brackets within brackets");
        }
    }
    npyz::NpyHeader::from_reader(start.as_slice().chain(reader))
}

/// The deepest nesting of brackets.
fn depth(text: &[u8]) -> usize {
    let (mut depth, mut deepest) = (0_usize, 0);
    for sign in text {
        match sign {
            b'[' | b'(' | b'{' => depth += 1,
            b']' | b')' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(depth);
    }
    deepest
}
