//! The picture as SVG.

use super::diagram::{Diagram, Kind, Line};
use super::rows::{BESIDE, LINE, Place, Rows, TITLE_LINE};
use super::tracks::{Crossing, Tracks};
use super::wires::Wires;

/// The space around everything, and that for the line at the bottom.
const MARGIN: i32 = 24;
const FOOT: i32 = 26;

const STYLE: &str = r##"<style>
text{font-family:ui-sans-serif,system-ui,"Segoe UI",Helvetica,Arial,sans-serif;fill:#1f2937;font-size:12px}
.code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:11px;white-space:pre}
.title{font-size:14px;font-weight:600}.note,tspan{fill:#4b5563}
.card{fill:#ffffff;stroke:#94a3b8;stroke-width:1.2}.state{fill:#e0e7ff;stroke:#4f46e5;stroke-width:1.4}.port{fill:#f1f5f9;stroke:#cbd5e1}
.word{stroke:#4f46e5;stroke-width:1.8;fill:none}.bit{stroke:#94a3b8;stroke-width:1.1;fill:none}
</style>
<defs>
<marker id="word" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="12" refX="8" refY="6" orient="auto"><path d="M1 1.5 l7 4.5 l-7 4.5" fill="none" stroke="#4f46e5" stroke-width="1.8"/></marker>
<marker id="bit" markerUnits="userSpaceOnUse" markerWidth="12" markerHeight="12" refX="8" refY="6" orient="auto"><path d="M2 2.5 l6 3.5 l-6 3.5" fill="none" stroke="#94a3b8" stroke-width="1.1"/></marker>
</defs>
"##;

/// All parts of a figure.
pub struct Drawing<'a> {
    pub diagram: &'a Diagram,
    pub rows: &'a Rows,
    pub wires: &'a Wires,
    pub tracks: &'a Tracks,
    pub name: &'a str,
}

pub fn drawn(drawing: &Drawing) -> String {
    let [left, right] = drawing.ends();
    let foot = format!("{}: /n is n bits; thin lines are single bits", drawing.name);
    let width = (right - left).max(foot.len() as i32 * 6) + 2 * MARGIN;
    let bottom = drawing.tracks.tops[drawing.tracks.tops.len() - 1];
    let height = bottom + 2 * MARGIN + FOOT;
    let shift = (width - right - left) / 2;
    let label = format!("The sections of {} from top to bottom, and the signals between them", drawing.name);
    let nets: String = drawing.nets();
    let blocks: String = (0..drawing.diagram.blocks.len()).map(|block| drawing.block(block)).collect();
    let at = format!("x=\"{}\" y=\"{}\"", MARGIN - shift, bottom + FOOT + 10);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"{label}\">\n\
         {STYLE}<rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#f8fafc\"/>\n\
         <g transform=\"translate({shift} {MARGIN})\">\n{nets}{blocks}<text class=\"note\" {at}>{foot}</text>\n</g>\n</svg>\n"
    )
}

impl Drawing<'_> {
    /// The left and the right end of everything.
    fn ends(&self) -> [i32; 2] {
        let [left, right] = self.rows.ends();
        let trunks = || self.wires.trunks.iter().flatten().copied();
        [trunks().min().map_or(left, |x| left.min(x)), trunks().max().map_or(right, |x| right.max(x))]
    }

    /// The nets, those of single bits first, so that the others are above them.
    fn nets(&self) -> String {
        let mut order: Vec<usize> = (0..self.diagram.nets.len()).collect();
        order.sort_by_key(|&net| !self.diagram.nets[net].is_thin);
        order.into_iter().map(|net| self.net(net)).collect()
    }

    fn net(&self, number: usize) -> String {
        let net = &self.diagram.nets[number];
        let class = if net.is_thin { "bit" } else { "word" };
        let color = if net.is_thin { "#94a3b8" } else { "#4f46e5" };
        let row = self.rows.row_of(net);
        let (mut above, mut text) = (self.tracks.tops[row] + self.rows.heights[row], String::new());
        let (mut lines, mut joints) = (String::new(), String::new());
        for (space, nets) in self.tracks.crossings.iter().enumerate().skip(row) {
            let Some(crossing) = nets.iter().find(|crossing| crossing.net == number) else { continue };
            let Crossing { enters, track, .. } = crossing;
            let at = self.tracks.height(space, *track);
            lines += &format!("M{enters} {above}V{at}");
            if crossing.left() < crossing.right() {
                lines += &format!("M{} {at}H{}", crossing.left(), crossing.right());
            }
            for (_, _, x) in self.wires.ends[space].iter().filter(|(of, ..)| *of == number) {
                let below = self.tracks.tops[space + 1] - 1;
                text += &format!("<path class=\"{class}\" d=\"M{x} {at}V{below}\" marker-end=\"url(#{class})\"/>\n");
            }
            for x in crossing.joints() {
                joints += &format!("<circle cx=\"{x}\" cy=\"{at}\" r=\"2.6\" fill=\"{color}\"/>\n");
            }
            above = at;
        }
        let lines = format!("<path class=\"{class}\" stroke-linecap=\"square\" d=\"{lines}\"/>\n");
        lines + &text + &joints + &self.label(number, row)
    }

    /// The label of a net, right of where it leaves its block.
    fn label(&self, number: usize, row: usize) -> String {
        let x = self.rows.leaves[number] + BESIDE;
        let top = self.tracks.tops[row] + self.rows.heights[row] + LINE - 2;
        let line = |(at, Line { name, after }): (usize, &Line)| {
            let y = top + LINE * at as i32;
            format!(
                "<text class=\"code\" x=\"{x}\" y=\"{y}\" xml:space=\"preserve\">{name}<tspan>{after}</tspan></text>\n"
            )
        };
        self.diagram.nets[number].label.iter().enumerate().map(line).collect()
    }

    fn block(&self, block: usize) -> String {
        let Place { row, left, width, title, note } = &self.rows.places[block];
        let (class, text) = match self.diagram.blocks[block].kind {
            Kind::Input | Kind::Output => ("port", "code"),
            Kind::Section => ("card", "title"),
            Kind::State | Kind::Rank => ("state", "title"),
        };
        let (top, height, middle) = (self.tracks.tops[*row], self.rows.heights[*row], self.rows.places[block].middle());
        let lines = TITLE_LINE * title.len() as i32 + LINE * note.len() as i32;
        let mut y = top + (height - lines) / 2 - 4;
        let mut drawn = format!(
            "<rect class=\"{class}\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" rx=\"6\"/>\n"
        );
        let lines =
            title.iter().map(|line| (line, text, TITLE_LINE)).chain(note.iter().map(|line| (line, "note", LINE)));
        for (line, class, height) in lines {
            y += height;
            let line = line.replace('&', "&amp;").replace('<', "&lt;");
            drawn +=
                &format!("<text class=\"{class}\" x=\"{middle}\" y=\"{y}\" text-anchor=\"middle\">{line}</text>\n");
        }
        drawn
    }
}
