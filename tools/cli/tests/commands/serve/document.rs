//! The document of the paths, and the session of the guide.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tavli::rollout::OptionTexts;

use super::{Server, value};

/// Checks a value by a schema of the document.
fn check(value: &Value, schema: &Value, document: &Value) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        return check(value, document.pointer(name.trim_start_matches('#')).unwrap(), document);
    }
    if let Some(one) = schema["oneOf"].as_array() {
        let fits = one.iter().any(|schema| check(value, schema, document).is_ok());
        return fits.then_some(()).ok_or_else(|| format!("{value} fits none of {schema}"));
    }
    let is = |name: &str| match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        other => panic!("no type {other}"),
    };
    let types = match &schema["type"] {
        Value::Array(types) => types.iter().collect(),
        one => vec![one],
    };
    if !types.iter().any(|name| is(name.as_str().unwrap())) {
        return Err(format!("{value} is not one of {types:?}"));
    }
    if schema["enum"].as_array().is_some_and(|all| !all.contains(value)) {
        return Err(format!("{value} is not one of {}", schema["enum"]));
    }
    let number = value.as_f64();
    let is_below = number.zip(schema["minimum"].as_f64()).is_some_and(|(number, least)| number < least);
    if is_below || number.zip(schema["maximum"].as_f64()).is_some_and(|(number, most)| number > most) {
        return Err(format!("{value} is out of range"));
    }
    for item in value.as_array().into_iter().flatten() {
        check(item, &schema["items"], document)?;
    }
    if let (Some(value), Some(properties)) = (value.as_object(), schema["properties"].as_object()) {
        let required = schema["required"].as_array().into_iter().flatten();
        let missing = required.map(|name| name.as_str().unwrap()).find(|&name| !value.contains_key(name));
        if let Some(missing) = missing {
            return Err(format!("{missing} is missing"));
        }
        for (name, member) in value {
            let schema = properties.get(name).ok_or_else(|| format!("{name} is not described"))?;
            check(member, schema, document).map_err(|error| format!("{name}: {error}"))?;
        }
    }
    Ok(())
}

/// Each request that the document shows is answered as it says, and what it requires is required.
#[test]
fn the_document_says_what_is_answered() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json");
    for schema in ["RolloutRequest", "DecideRequest"] {
        let options = &document["components"]["schemas"][schema]["properties"];
        for name in options.as_object().unwrap().keys() {
            let is_option = OptionTexts::names().any(|option| option == name);
            assert!(is_option || ["position", "game", "cubeless"].contains(&&**name), "{schema}: {name}");
        }
    }
    let mut codes = BTreeSet::new();
    let paths = document["paths"].as_object().unwrap();
    let mut operations: Vec<(&String, &String, &Value)> = paths
        .iter()
        .flat_map(|(path, methods)| {
            let methods = methods.as_object().unwrap().iter();
            methods.map(move |(method, operation)| (path, method, operation))
        })
        .collect();
    // Requests that begin jobs come before requests that show them. The request to forget a finished job is the last.
    operations.sort_by_key(|(path, method, _)| (path.starts_with("/jobs"), *method == "delete"));
    for (path, method, operation) in operations {
        let (mut path, mut query) = (path.clone(), String::new());
        for parameter in operation["parameters"].as_array().into_iter().flatten() {
            let (name, example) = (parameter["name"].as_str().unwrap(), &parameter["example"]);
            if parameter["in"] == "path" {
                path = path.replace(&format!("{{{name}}}"), &example.to_string());
            } else if !example.is_null() {
                query.push_str(&format!("&{name}={example}"));
            }
        }
        let path = format!("{path}?{}", query.trim_start_matches('&'));
        let (status, response) = operation["responses"].as_object().unwrap().iter().next().unwrap();
        let asked = &operation["requestBody"]["content"]["application/json"];
        let body = (!asked.is_null()).then(|| {
            check(&asked["example"], &asked["schema"], &document).unwrap();
            asked["example"].to_string()
        });
        let answer = server.ask(&method.to_uppercase(), &path, body.as_deref());
        if response["content"]["text/event-stream"].is_object() {
            assert!(answer.0 == 200 && answer.1.contains("event: end"), "{answer:?}");
            continue;
        }
        let answer = value(answer, status.parse().unwrap());
        let schema = &response["content"]["application/json"]["schema"];
        check(&answer, schema, &document).unwrap_or_else(|error| panic!("{method} {path}: {error} in {answer}"));
        // Without a body it is refused, in the form that is described.
        if body.is_some() {
            let refused =
                value(server.ask("POST", &path, Some("{}")), if path.starts_with("/playouts") { 202 } else { 400 });
            if let Some(error) = refused.get("error") {
                check(&refused, &operation["responses"]["default"]["content"]["application/json"]["schema"], &document)
                    .unwrap();
                codes.insert(error["code"].to_string());
            }
        }
    }
    assert!(!codes.is_empty());
}

/// The ends of ranges are those that the server takes.
#[test]
fn the_document_has_the_ranges_of_the_server() {
    let server = Server::start(&[]);
    let document = server.get("/openapi.json");
    let of = |request: &str, member: &str, end: &str| {
        let path = format!("/components/schemas/{request}/properties/{member}/{end}");
        document.pointer(&path).and_then(Value::as_u64).expect("a number")
    };
    let least = of("PlaysRequest", "most", "minimum");
    let plays = |most: u64| format!(r#"{{"position":"4HPwATDgc/ABMA","roll":"31","most":{most}}}"#);
    value(server.ask("POST", "/plays", Some(&plays(least))), 200);
    value(server.ask("POST", "/plays", Some(&plays(least - 1))), 400);
    let double = &document["paths"]["/v1/double"]["post"]["requestBody"]["content"]["application/json"];
    let name = double["schema"]["$ref"].as_str().expect("a schema").rsplit('/').next();
    let most = of(name.expect("a name"), "cubeValue", "maximum");
    for (cube, status) in [(most, 200), (2 * most, 400)] {
        let mut asked = double["example"].clone();
        asked["cubeValue"] = cube.into();
        value(server.ask("POST", "/v1/double", Some(&asked.to_string())), status);
    }
}

/// The session of the guide, with the requests that its commands send.
#[test]
fn the_session_of_the_guide_is_this() {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/frontends.md");
    let text = fs::read_to_string(guide).unwrap();
    let server = Server::start(&[]);
    let mut commands = 0;
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let Some(command) = line.strip_prefix("$ curl ") else {
            continue;
        };
        commands += 1;
        let parts: Vec<&str> = command.split('\'').collect();
        let (method, path, body) = match parts[..] {
            ["-s ", url, ""] => ("GET", url, None),
            ["-s -X DELETE ", url, ""] => ("DELETE", url, None),
            ["-s --json ", body, " ", url, ""] => ("POST", url, Some(body)),
            _ => panic!("{command}"),
        };
        let path = path.strip_prefix("127.0.0.1:8080").expect("the address");
        let (_, answer) = server.ask(method, path, body);
        let shown = lines.next().unwrap();
        // A line that ends with three dots shows the beginning.
        match shown.strip_suffix("...") {
            Some(shown) => assert!(answer.starts_with(shown), "{command}\n{answer}"),
            None => assert_eq!(shown, answer, "{command}"),
        }
    }
    assert!(commands > 3);
}
