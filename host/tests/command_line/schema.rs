//! JSON values against JSON schemas, as far as the schemas of the program go: a keyword that is not known here fails.

use serde_json::Value;

/// Keywords that say nothing about a value.
const NOTES: [&str; 6] = ["$schema", "$defs", "title", "description", "format", "default"];

/// Fails with the path of the first value that is not as the schema says. Keys that the schema does not describe are a fault
/// too.
pub(crate) fn assert_valid(schema: &Value, value: &Value, name: &str) {
    if let Err(fault) = check(schema, schema, value, name) {
        panic!("{fault}\nin {value}");
    }
}

fn check(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let Value::Object(keywords) = schema else {
        return if *schema == Value::Bool(true) {
            Ok(())
        } else {
            Err(format!("{path}: nothing may stand here"))
        };
    };
    for (keyword, wanted) in keywords {
        match keyword.as_str() {
            _ if NOTES.contains(&keyword.as_str()) => {}
            "$ref" => {
                let pointer = wanted.as_str().and_then(|name| name.strip_prefix('#'));
                let schema =
                    pointer.and_then(|pointer| root.pointer(pointer)).ok_or("a reference to nothing")?;
                check(root, schema, value, path)?;
            }
            "anyOf" | "oneOf" => {
                let faults: Vec<String> =
                    list(wanted).iter().filter_map(|schema| check(root, schema, value, path).err()).collect();
                if faults.len() == list(wanted).len() {
                    return Err(format!("{path}: none of several: {}", faults.join("; ")));
                }
            }
            "type" => {
                let types = if wanted.is_string() { vec![wanted.clone()] } else { list(wanted).to_vec() };
                if !types.iter().any(|kind| is_of_type(value, kind.as_str().unwrap_or_default())) {
                    return Err(format!("{path}: {value} is not of type {wanted}"));
                }
            }
            "enum" if !list(wanted).contains(value) => {
                return Err(format!("{path}: {value} not in {wanted}"));
            }
            "const" if wanted != value => return Err(format!("{path}: {value} is not {wanted}")),
            "minimum" if value.is_number() && value.as_f64() < wanted.as_f64() => {
                return Err(format!("{path}: {value} < {wanted}"));
            }
            "maximum" if value.is_number() && value.as_f64() > wanted.as_f64() => {
                return Err(format!("{path}: {value} > {wanted}"));
            }
            "minItems" | "maxItems" => {
                let (length, bound) = (list(value).len() as u64, wanted.as_u64().unwrap_or(0));
                if value.is_array()
                    && (keyword == "minItems" && length < bound || keyword == "maxItems" && length > bound)
                {
                    return Err(format!("{path}: {length} items"));
                }
            }
            "minLength" | "maxLength" => check_length(keyword, value, wanted.as_u64(), path)?,
            "required" => {
                let missing =
                    list(wanted).iter().filter_map(Value::as_str).find(|key| value.get(key).is_none());
                if let Some(key) = missing.filter(|_| value.is_object()) {
                    return Err(format!("{path}: no {key}"));
                }
            }
            "prefixItems" => {
                for (index, (schema, item)) in list(wanted).iter().zip(list(value)).enumerate() {
                    check(root, schema, item, &format!("{path}[{index}]"))?;
                }
            }
            "items" => {
                for (index, item) in list(value).iter().enumerate() {
                    check(root, wanted, item, &format!("{path}[{index}]"))?;
                }
            }
            // Either checked above and right, or checked below.
            "enum" | "const" | "minimum" | "maximum" | "properties" | "additionalProperties" => {}
            _ => return Err(format!("{path}: the test does not know the keyword {keyword}")),
        }
    }
    check_keys(root, schema, value, path)
}

/// Length of a text against a bound.
fn check_length(keyword: &str, value: &Value, bound: Option<u64>, path: &str) -> Result<(), String> {
    let Some(length) = value.as_str().map(|text| text.chars().count() as u64) else { return Ok(()) };
    let is_within = if keyword == "minLength" { Some(length) >= bound } else { Some(length) <= bound };
    if is_within { Ok(()) } else { Err(format!("{path}: a text of {length} characters: {value}")) }
}

/// Keys of an object: each is described, and its value as the schema says.
fn check_keys(root: &Value, schema: &Value, value: &Value, path: &str) -> Result<(), String> {
    let (properties, additional) = (schema.get("properties"), schema.get("additionalProperties"));
    let Value::Object(object) = value else { return Ok(()) };
    for (key, item) in object.iter().filter(|_| properties.or(additional).is_some()) {
        let own = properties.and_then(|properties| properties.get(key));
        let Some(schema) = own.or(additional) else { return Err(format!("{path}: {key} is not described")) };
        check(root, schema, item, &format!("{path}.{key}"))?;
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn is_of_type(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        _ => false,
    }
}

#[test]
fn what_is_not_as_the_schema_says_is_found() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "n": { "type": "integer", "minimum": 0 },
            "pair": { "type": "array", "items": { "$ref": "#/$defs/text" }, "minItems": 2, "maxItems": 2 },
            "may": { "type": ["string", "null"] },
        },
        "required": ["n", "pair"],
        "$defs": { "text": { "anyOf": [{ "const": "a" }, { "enum": ["b", "c"] }] } },
    });
    let valid = |value: &Value| check(&schema, &schema, value, "x").is_ok();
    assert!(valid(&serde_json::json!({ "n": 0, "pair": ["a", "c"], "may": null })));
    for bad in [
        serde_json::json!({ "pair": ["a", "c"] }),
        serde_json::json!({ "n": -1, "pair": ["a", "c"] }),
        serde_json::json!({ "n": 0.5, "pair": ["a", "c"] }),
        serde_json::json!({ "n": 0, "pair": ["a"] }),
        serde_json::json!({ "n": 0, "pair": ["a", "d"] }),
        serde_json::json!({ "n": 0, "pair": ["a", "c"], "more": 1 }),
        serde_json::json!({ "n": 0, "pair": ["a", "c"], "may": 1 }),
        serde_json::json!([]),
    ] {
        assert!(!valid(&bad), "{bad}");
    }
}
