// Package jsonpath evaluates kubectl's JSONPath templates on Go values. Fields have their
// JSON names.
//
//	{.metadata.name}                     a field
//	{.spec.dependsOn[0]}  {[-1]}  {[1:3]}  {[*]}  {.*}
//	{.metadata.labels['a.b/c']}          a key with other characters; also .labels.a\.b/c
//	{.items[?(@.spec.state=="active")].metadata.name}
//	{..name}                             at any depth
//	{range .items[*]}{.metadata.name}{"\n"}{end}
//
// Text outside of braces is printed unchanged. Missing values print nothing. Filters
// support ==, !=, <, <=, >, >= and, with only a path, existence.
package jsonpath
