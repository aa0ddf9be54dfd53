// Package migrate turns what older tools wrote down (iDumb v1 and v2, HiveMind)
// into objects of today, and holds what the readers of other trackers share with
// that: a reader of JSON that bears damage, records that know which of their fields
// were understood, names, references, a report. Everything in it is a pure function
// of the bytes it is given.
//
// # Nothing is lost
//
// A format that nobody has seen yet is the normal case: fields come and go between
// versions, a name is written with other letters, a list is an object, a number is a
// string. One table (mapper.go) says which fields of ours other tools have, and under
// which names; each tool adds where its records stand. Every file of the
// source is kept whole, as a Leftover, so that no rule has to account for the form of
// what it read, and no object for what it has no field for: that stands in the Report.
// A text that people need and that has no field is an annotation of the object (prefix Format.idumb.dev/).
//
// # The same twice
//
// Nothing depends on the clock or on the order of a directory, and each object carries
// a digest of what was made. So a second conversion offers nothing again, takes over
// what changed in the source since, and leaves alone what somebody edited here.
package migrate
