//! A map that keeps the order of its members in JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use tavli::games::PlayableGame;

/// Members of a JSON object in their order.
pub(crate) struct OrderedMap<K, V>(Vec<(K, V)>);

impl<K, V> OrderedMap<K, V> {
    pub(crate) fn new(members: impl Iterator<Item = (K, V)>) -> OrderedMap<K, V> {
        OrderedMap(members.collect())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &(K, V)> {
        self.0.iter()
    }
}

impl OrderedMap<&'static str, u64> {
    /// The outcomes of a game, each with the games that `count` has for its points.
    pub(crate) fn by_outcome<G: PlayableGame>(count: impl Fn(i32) -> u64) -> Self {
        OrderedMap::new(G::OUTCOMES.iter().map(|outcome| (outcome.name, count(outcome.points))))
    }
}

impl<K: Serialize, V: Serialize> Serialize for OrderedMap<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
