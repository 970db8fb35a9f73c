//! Values by name, as JSON.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

/// Members of a JSON object in their order.
pub(crate) struct Named<K, V>(Vec<(K, V)>);

impl<K, V> Named<K, V> {
    pub(crate) fn new(members: impl Iterator<Item = (K, V)>) -> Named<K, V> {
        Named(members.collect())
    }
}

impl<K: Serialize, V: Serialize> Serialize for Named<K, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (name, value) in &self.0 {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}
