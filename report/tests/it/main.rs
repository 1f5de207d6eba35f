//! What the public interface promises: figures of arrays that were computed by hand, from every kind of file.

mod tensor;
