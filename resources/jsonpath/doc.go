// Package jsonpath evaluates kubectl's JSONPath templates on Go values, by the
// names that the values have in JSON.
//
//	{.metadata.name}                     a field
//	{.spec.dependsOn[0]}  {[-1]}  {[1:3]}  {[*]}  {.*}
//	{.metadata.labels['a.b/c']}          a key with other characters; also .labels.a\.b/c
//	{.items[?(@.spec.state=="active")].metadata.name}
//	{..name}                             at any depth
//	{range .items[*]}{.metadata.name}{"\n"}{end}
//
// Text outside of braces is printed as it is. What is missing prints nothing.
// Filters know ==, !=, <, <=, >, >= and, with a path alone, existence.
package jsonpath
