package declarative_test

// knownBehaviours are behaviours of the reference that are easy to get wrong.
func knownBehaviours() []differentialCase {
	return []differentialCase{
		{name: "an unchanged type error does not keep rules from running", why: "it passes the schema stage on update, " +
			"so the rule gets data of the wrong type",
			schema: `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}, b: {type: string}}}`,
			object: `{a: x, b: new}`, old: `{a: x, b: old}`},
		{name: "of several errors of in, the first is reported", why: "unchanged data may be wrong in more than one item",
			schema: `{type: object, properties: {b: {type: string}, a: {type: array, items: {type: array, items: {type: object, ` +
				`properties: {id: {type: integer}}}}, x-kubernetes-validations: [{rule: 'self[0] in self'}]}}}`,
			object: `{b: new, a: [[{id: 3.5}], 1.5]}`, old: `{b: old, a: [[{id: 3.5}], 1.5]}`},
		{name: "a changed type error does", why: "the schema stage reports it",
			schema: `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}}`,
			object: `{a: x}`, old: `{a: y}`},
		{name: "a bad format blocks rules", why: "it is a TypeInvalid",
			schema: `{type: object, properties: {a: {type: string, format: ipv4}, b: {type: integer, x-kubernetes-validations: ` +
				`[{rule: self > 1}]}}}`,
			object: `{a: x, b: 0}`},
		{name: "a bad pattern does not block rules", why: "it is Invalid",
			schema: `{type: object, properties: {a: {type: string, pattern: '^x'}, b: {type: integer, x-kubernetes-validations: ` +
				`[{rule: self > 1}]}}}`,
			object: `{a: y, b: 0}`},
		{name: "a bad bound does not block rules", why: "it is Invalid, but too long and too many block",
			schema: `{type: object, properties: {a: {type: string, minLength: 3}, b: {type: integer, minimum: 1, ` +
				`x-kubernetes-validations: [{rule: self > 1}]}}}`,
			object: `{a: y, b: 0}`},
		{name: "too long blocks rules", why: "a rule may be too expensive on it",
			schema: `{type: object, properties: {a: {type: string, maxLength: 3}, b: {type: integer, x-kubernetes-validations: ` +
				`[{rule: self > 1}]}}}`,
			object: `{a: yyyy, b: 0}`},
		{name: "the bad value of a type error is the name of a type", why: "not the value",
			schema: `{type: object, properties: {a: {type: integer}, b: {type: string}, c: {type: object}}}`,
			object: `{a: x, b: [1], c: 1.5}`},
		{name: "the bad value of a rule that cannot be evaluated is the name of a type", why: "it is that of the schema",
			schema: `{type: object, properties: {a: {type: object, properties: {b: {type: integer}}, x-kubernetes-validations: ` +
				`[{rule: self.b > 1}]}}}`, object: `{a: {}}`},
		{name: "the error of a range has no field", why: "its path is in the detail",
			schema: `{type: object, properties: {a: {type: object, properties: {b: {type: integer, format: int32}}}}}`,
			object: `{a: {b: 3000000000}}`},
		{name: "an integer beyond int64 has no field either", why: "a float of 1e19 is a whole number",
			schema: `{type: object, properties: {a: {type: integer}}}`, object: `{a: 1e19}`},
		{name: "3.0 is an integer", why: "a float without a fraction is", schema: `{type: object, properties: {a: {type: ` +
			`integer, minimum: 4}}}`, object: `{a: 3.0}`},
		{name: "equality of data of the wrong type", why: "the reference fails on the first property that it meets; " +
			"any of its outcomes is accepted",
			schema: `{type: object, properties: {a: {type: integer}, b: {type: boolean}, c: {type: string}}, x-kubernetes-validations: ` +
				`[{rule: self == oldSelf}]}`,
			object: `{a: x, b: x, c: 1}`, old: `{a: x, b: x, c: 1}`},
	}
}

// generatorFindings are differences that the generator found and that are fixed.
func generatorFindings() []differentialCase {
	const twoKeys = `type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, port], items: {type: object, ` +
		`properties: {id: {type: string}, port: {type: string}}}`
	const sized = `{type: object, properties: {id: {type: number}, v: {type: string}, size: {type: integer, maximum: 3}, ` +
		`"n": {type: integer}}}`
	return []differentialCase{
		{name: "multiple of a fraction, integer", why: "a factor that is no integer is an error without a field, and the value " +
			"is then checked as a float",
			schema: `{type: object, properties: {a: {type: integer, multipleOf: 2.5}}}`, object: `{a: 4}`},
		{name: "multiple of less than one", why: "an int64 is checked against the factor without its fraction, and 0 is no factor",
			schema: `{type: object, properties: {a: {type: number, multipleOf: 0.1}}}`, object: `{a: 2}`},
		{name: "fractional bounds of an integer", why: "so is a bound that is no integer",
			schema: `{type: object, properties: {a: {type: integer, minimum: 1.5}, b: {type: integer, maximum: 1.5}}}`,
			object: `{a: 1, b: 2}`},
		{name: "an enum of integers and a float", why: "the value is converted to the type of the enum's, and loses its fraction",
			schema: `{type: object, properties: {a: {type: number, enum: [2]}, b: {type: number, enum: [2]}}}`, object: `{a: 2.5, b: 3.5}`},
		{name: "an enum of strings and an integer", why: "an integer converts to the string of its code point, where no type forbids it",
			schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, enum: [a]}, b: {x-kubernetes-int-or-string: ` +
				`true, enum: [a]}}}`, object: `{a: 97, b: 98}`},
		{name: "a rule after a union", valid: true, why: "a union does not change the set",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: number}, ` +
				`x-kubernetes-validations: [{rule: self + self == self}, {rule: self == self}]}}}`,
			object: `{a: [1]}`},
		{name: "undeclared fields, in an optional oldSelf", valid: true, why: "since 1.37 an optional value is that of its schema",
			schema: `{type: object, properties: {a: {type: object, properties: {r: {x-kubernetes-preserve-unknown-fields: true}, ` +
				`s: {x-kubernetes-preserve-unknown-fields: true}}}}, x-kubernetes-validations: [{rule: self.a == ` +
				`oldSelf.a.orValue(self.a), ` +
				`optionalOldSelf: true}, {rule: self.a == oldSelf.value().a, optionalOldSelf: true}, {rule: oldSelf.a.value() == ` +
				`self.a, optionalOldSelf: true}]}`,
			object: `{a: {r: {l: [x, null]}, s: 1}, b: 1}`, old: `{a: {r: {l: [x, null]}, s: 1}, b: 2}`},
		{name: "formats that only native types have", why: "the API server ignores them, also in a branch and in its result",
			schema: `{type: object, properties: {a: {type: string, format: dns1123label}, b: {type: string, anyOf: [{format: ` +
				`dns1035label}, {format: ipv4}]}, c: {type: string, oneOf: [{format: dns1123subdomain}, {pattern: "^A"}]}}}`,
			object: `{a: A.B, b: A.B, c: A.B}`},
		{name: "the least integer", why: "as an integer it is one, and as a float its shortest digits are beyond int64, also as a bound",
			schema: `{type: object, properties: {a: {type: integer}, b: {type: integer, format: int64}, c: {type: integer, minimum: ` +
				`-9223372036854775808}}}`,
			object: `{a: -9223372036854775808, b: -9223372036854775808.0, c: -9223372036854775808}`},
		{name: "a float that is nearly too large", why: "a number that rounds to the greatest 32-bit float is one",
			schema: `{type: object, properties: {a: {type: number, format: float}, b: {type: number, format: float}, c: {type: ` +
				`number, format: double}}}`,
			object: `{a: 3.40282350e38, b: 3.40282357e38, c: 3.5e38}`},
		{name: "a new duplicate of an unchanged item", why: "list types are not ratcheted item by item",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], ` +
				`items: {type: object, properties: {id: {type: string}}}}}}`,
			object: `{a: [{id: x}, {id: x}]}`, old: `{a: [{id: y}, {id: x}]}`},
		{name: "equality of a list map with a missing key", valid: true,
			why: "items without one of the keys are equal if everything else is",
			schema: `{type: object, properties: {a: {` + twoKeys + `, x-kubernetes-validations: [{rule: oldSelf.orValue(self) == ` +
				`self, optionalOldSelf: true}]}}}`,
			object: `{a: [{id: x}]}`, old: `{a: [{id: x}]}`},
		{name: "the text about data of the wrong type in a rule", why: "the adapter's text is part of the detail",
			schema: `{type: object, properties: {a: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}}`,
			object: `{a: 1.5}`, old: `{a: 1.5}`},
		{name: "a smaller list map and an old one", why: "items without keys",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], ` +
				`items: {type: object, properties: {id: {type: string}}}, x-kubernetes-validations: [{rule: "!oldSelf.hasValue() || ` +
				`oldSelf.value() == self", optionalOldSelf: true}]}}}`,
			object: `{a: []}`, old: `{a: [{}]}`},
		{name: "union of a set of numbers with itself", valid: true, why: "an integer in a set of numbers is a number",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: number}, ` +
				`x-kubernetes-validations: [{rule: self + self == self}]}}}`, object: `{a: [1]}`},
		{name: "equality of objects with unknown fields", why: "a field that only one side has is not looked at when there are as many",
			schema: `{type: object, properties: {a: {type: object, x-kubernetes-preserve-unknown-fields: true, ` +
				`x-kubernetes-validations: [{rule: self != oldSelf}]}}}`,
			object: `{a: {x: 1, y: 1}}`, old: `{a: {x: 1, z: 1}}`},
		{name: "optional oldSelf with null inside", why: "comparing null with a number",
			schema: `{type: object, properties: {in: {type: number, nullable: true}}, x-kubernetes-validations: [{rule: ` +
				`oldSelf.orValue(self) == self, optionalOldSelf: true, reason: FieldValueDuplicate}]}`,
			object: `{in: 10}`, old: `{in: null}`},
		{name: "equality of objects with different numbers of unknown fields", why: "the numbers of fields differ",
			schema: `{type: object, properties: {a: {type: object, x-kubernetes-validations: [{rule: "!oldSelf.hasValue() || ` +
				`oldSelf.value() == self", optionalOldSelf: true}]}}}`,
			object: `{a: {}}`, old: `{a: {k0: {}}}`},
		{name: "a set of objects with 0 and 0.0", why: "compound items are compared by their JSON text, which is one",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {x-kubernetes-map-type: ` +
				`atomic, type: object, properties: {n: {type: number}}}}}}`,
			object: `{a: [{n: 0}, {n: 0.0}]}`},
		{name: "a list map by two keys with 0 and 0.0", why: "several keys are compared by their JSON text, and one key as a value",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, ` +
				`v], items: {type: object, properties: {id: {type: number}, v: {type: string}}}}, b: {type: array, ` +
				`x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, properties: {id: {type: number}}}}}}`,
			object: `{a: [{id: 0, v: ""}, {id: 0.0, v: ""}, {id: 1.5, v: ""}], b: [{id: 0}, {id: 0.0}]}`},
		{name: "sets of numbers and of lists of numbers", why: "scalars in a set are compared as values, lists in it by their JSON text",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: number}}, b: {type: ` +
				`array, x-kubernetes-list-type: set, items: {type: array, x-kubernetes-list-type: atomic, items: {type: number}}}}}`,
			object: `{a: [0, 0.0, 1e21, 1000000000000000000000.0], b: [[1], [1.0], [1e21], [2]]}`},
		{name: "zeros with a sign", why: "they are equal as values, in a set, among unique items and as the only key of a list " +
			"map, and different as JSON text",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: set, items: {type: number}}, b: {type: ` +
				`array, uniqueItems: true, items: {type: number}}, c: {type: array, x-kubernetes-list-type: map, ` +
				`x-kubernetes-list-map-keys: [id], items: {type: object, properties: {id: {type: number}}}}, d: {type: array, ` +
				`x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, v], items: {type: object, properties: {id: {type: ` +
				`number}, v: {type: string}}}}}}`,
			object: `{a: [0.0, -0.0], b: [0.0, -0.0], c: [{id: 0.0}, {id: -0.0}], d: [{id: 0.0, v: x}, {id: -0.0, v: x}]}`},
		{name: "old items by numbers", why: "one key is compared as a value, and several by six digits after the point",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: ` +
				sized +
				`}, b: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id, v], items: ` + sized + `}}}`,
			object: `{a: [{id: 0.0, size: 9, "n": 1}, {id: 0.12345678, size: 8, "n": 1}], b: [{id: 0.0, v: x, size: 9, "n": 1}, ` +
				`{id: 0.12345678, v: x, size: 8, "n": 1}, {id: 1.0, v: x, size: 7, "n": 1}]}`,
			old: `{a: [{id: -0.0, size: 9}, {id: 0.12345679, size: 8}], b: [{id: -0.0, v: x, size: 9}, {id: 0.12345679, v: x, ` +
				`size: 8}, {id: 1, v: x, size: 7}]}`},
		{name: "a union of list maps with a key twice", why: "an item replaces the last with its key, and new ones are added each",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], ` +
				`items: {type: object, required: [id], properties: {id: {type: string}, v: {type: integer}}}}}, ` +
				`x-kubernetes-validations: ` +
				`[{rule: size(self.a + oldSelf.a) == 4}, {rule: size(self.a + oldSelf.a) == 3}, {rule: "(self.a + oldSelf.a)[0].v ` +
				`== 5"}, {rule: "(self.a + oldSelf.a)[1].v == 5"}]}`,
			object: `{a: [{id: x, v: 1}, {id: x, v: 2}]}`, old: `{a: [{id: "y", v: 3}, {id: "y", v: 4}, {id: x, v: 5}]}`},
	}
}

// listFindings are differences in how rules see lists. They were found with the schemas of real
// CustomResourceDefinitions and a few more keywords.
func listFindings() []differentialCase {
	return []differentialCase{
		{name: "equality with an optional oldSelf", valid: true, why: "since 1.37 an optional value is that of its schema",
			schema: `{type: object, properties: {a: {type: object, properties: {x.y: {type: integer}, namespace: {type: string}}, ` +
				`x-kubernetes-validations: [{rule: self == oldSelf.orValue(self), optionalOldSelf: true}]}, b: {type: object, ` +
				`properties: {x.y: {type: integer}}, x-kubernetes-validations: [{rule: self == oldSelf.orValue(self), ` +
				`optionalOldSelf: true}]}}}`,
			object: `{a: {x.y: 1, namespace: n}, b: {x.y: 1, z: 1}}`, old: `{a: {x.y: 1, namespace: n}, b: {x.y: 1, z: 1}}`},
		{name: "equality with a field that begins with underscores", valid: true, why: "its plain name is found, too",
			schema: `{type: object, properties: {a: {type: object, properties: {__a: {type: integer}}, x-kubernetes-validations: ` +
				`[{rule: self != oldSelf}]}}}`,
			object: `{a: {__a: 1}}`, old: `{a: {__a: 2}}`},
		{name: "a union with native items", why: "they are described by the schema of the list to which they are added",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], ` +
				`items: {type: object, properties: {id: {type: boolean}}}, x-kubernetes-validations: [{rule: ` +
				`self + oldSelf.orValue(self) == self, optionalOldSelf: true}]}, b: {type: array, items: {type: object, properties: ` +
				`{id: {type: boolean}}}, x-kubernetes-validations: [{rule: self + oldSelf.orValue(self) != self, optionalOldSelf: ` +
				`true}]}}}`,
			object: `{a: [{id: true}, {id: 1.5}], b: [{id: 1.5}]}`, old: `{a: [{id: true}, {id: 1.5}], b: [{id: 1.5}]}`},
		{name: "an item is looked up among several of the wrong type", why: "the error of the first one counts",
			schema: `{type: object, properties: {a: {type: array, items: {type: array, items: {type: integer}}, ` +
				`x-kubernetes-validations: [{rule: "self[0] in self"}]}}}`,
			object: `{a: [[1.5], 2.5, null]}`, old: `{a: [[1.5], 2.5, null]}`},
		{name: "a list map with a null key and a missing one", why: "they are one key, and the list is not equal to itself",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], ` +
				`items: {type: object, properties: {id: {type: string}, n: {type: integer}}}}}, x-kubernetes-validations: [{rule: ` +
				`oldSelf == oldSelf}]}`,
			object: `{}`, old: `{a: [{id: null, n: 1}, {n: 2}]}`},
		{name: "null in a set", valid: true, why: "it is a member",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: set, items: {type: string, nullable: ` +
				`true}}}, x-kubernetes-validations: [{rule: "self.u == self.u", message: a},{rule: "self.u == oldSelf.u", message: ` +
				`b},{rule: "size(self.u + oldSelf.u) == 2", message: c}]}`,
			object: `{u: [null, x]}`, old: `{u: [null, x], b: 1}`},
		{name: "a set of numbers and an optional oldSelf", valid: true, why: "an integer in a set of numbers is a number",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: set, items: {type: number}}}, ` +
				`x-kubernetes-validations: [{optionalOldSelf: true, rule: "self.u == oldSelf.u.value()", message: a},{optionalOldSelf: ` +
				`true,rule: "oldSelf.u.value() == self.u", message: b},{optionalOldSelf: true,rule: "size(self.u + oldSelf.u.value()) ` +
				`== 2", message: c},{optionalOldSelf: true,rule: "self.u + oldSelf.u.value() == self.u", message: d},{optionalOldSelf: ` +
				`true,rule: "self.u + oldSelf.u.value() == oldSelf.u.value()", message: e},{optionalOldSelf: true,rule: ` +
				`"(self.u + oldSelf.u.value()) + self.u == self.u", message: f}]}`,
			object: `{u: [0, 1.5]}`, old: `{u: [0, 1.5], b: 1}`},
		{name: "a set of dates and an optional oldSelf", valid: true, why: "and a date is a date",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: set, items: {type: string, format: ` +
				`date-time}}}, x-kubernetes-validations: [{optionalOldSelf: true, rule: "self.u == oldSelf.u.value()", message: ` +
				`a},{optionalOldSelf: true,rule: "oldSelf.u.value() == self.u", message: b},{optionalOldSelf: true,rule: ` +
				`"size(self.u + oldSelf.u.value()) == 1", message: c},{rule: "self.u == self.u", message: d},{rule: "self.u + self.u ` +
				`== self.u", message: e},{rule: "size(self.u + self.u + self.u) == 1", message: f}]}`,
			object: `{u: ["2024-01-02T03:04:05Z"]}`, old: `{u: ["2024-01-02T03:04:05Z"], b: 1}`},
		{name: "a set of items of the wrong type and an optional oldSelf", why: "items are scalars",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: set, items: {type: object}}}, ` +
				`x-kubernetes-validations: [{optionalOldSelf: true, rule: "self.u == oldSelf.u.value()", message: a},{optionalOldSelf: ` +
				`true,rule: "oldSelf.u.value() == self.u", message: b},{rule: "self.u == self.u", message: d}]}`,
			object: `{u: [""]}`, old: `{u: [""], b: 1}`},
		{name: "a list map by a reserved word", why: "the API server looks for the escaped name in the data: all items have one key",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ` +
				`[namespace], items: {type: object, required: [namespace], properties: {namespace: {type: string}, v: {type: ` +
				`integer}}}}}, x-kubernetes-validations: [{optionalOldSelf: true, rule: "self.u == oldSelf.u.value()", message: ` +
				`a},{rule: "oldSelf.u == self.u", message: b},{rule: "self.u == self.u", message: d},{rule: "size(self.u + self.u) ` +
				`== 2", message: e},{rule: "size(self.u + oldSelf.u) == 2", message: f}]}`,
			object: `{u: [{namespace: a, v: 1}, {namespace: b, v: 2}]}`, old: `{u: [{namespace: b, v: 2}, {namespace: a, v: 1}], b: 1}`},
		{name: "a list map by an escaped name", why: "so that only the other key tells items apart",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a-b, ` +
				`c], items: {type: object, required: [a-b, c], properties: {a-b: {type: string}, c: {type: integer}}}}}, ` +
				`x-kubernetes-validations: [{optionalOldSelf: true, rule: "self.u == oldSelf.u.value()", message: a},{rule: ` +
				`"oldSelf.u == self.u", message: b},{rule: "self.u == self.u", message: d},{rule: "size(self.u + self.u) == 2", ` +
				`message: e},{rule: "size(self.u + oldSelf.u) == 2", message: f}]}`,
			object: `{u: [{a-b: a, c: 1}, {a-b: b, c: 1}]}`, old: `{u: [{a-b: b, c: 1}, {a-b: a, c: 1}], b: 1}`},
		{name: "unions of sets of numbers", why: "an added integer is a number",
			schema: `{type: object, properties: {u: {type: array, x-kubernetes-list-type: set, items: {type: number}}}, ` +
				`x-kubernetes-validations: [{rule: "self.u + oldSelf.u == self.u", message: a},{rule: "size(self.u + oldSelf.u + ` +
				`self.u) == 3", message: b},{rule: "size((self.u + oldSelf.u) + (self.u + oldSelf.u)) == 3", message: c},{rule: ` +
				`"self.u + [1.0] == self.u", message: d},{rule: "[1.0, 2.0] + self.u == self.u", message: e},{rule: "self.u == [1.0, ` +
				`2.5]", message: f},{rule: "[1.0, 2.5] == self.u", message: g}]}`,
			object: `{u: [1, 2.5]}`, old: `{u: [1, 2.5], b: 1}`},
	}
}
