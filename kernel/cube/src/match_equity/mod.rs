//! Match equity tables: the chance to win a match from each score.

mod extension;
mod kazaross_xg2;
mod table;
mod xml;

pub use table::MatchEquityTable;
pub use xml::MatchEquityError;
