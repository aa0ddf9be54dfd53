// Package migrate converts the data of older tools (iDumb v1 and v2, HiveMind) to current
// objects. It also contains the parts that importers of other trackers share: an
// error-tolerant JSON parser, records that track the fields in use, names, references and a
// report. All functions are pure.
//
// # No data is lost
//
// Unknown formats are the normal case: versions add and remove fields, spell names
// differently, and use objects instead of lists or strings instead of numbers. One table
// (mapper.go) maps our fields to the field names of other tools. Each tool adds the
// location of its records. Every source file is archived as a Leftover. Rules therefore do
// not have to preserve the format of the input, and objects do not need fields for unknown
// data; the Report lists such data. A text that users need and that has no field becomes an
// annotation of the object (prefix Format.idumb.dev/).
//
// # Conversions are repeatable
//
// The result depends neither on the clock nor on the order of directory entries. Each
// object contains a digest of the converted data. A second conversion therefore creates no
// duplicates, applies changes of the source, and preserves objects that were edited here.
package migrate
