// Package resources says what iDumb's objects are: their types, defaults and
// rules. It does no I/O, starts no goroutine and imports nothing
// but the standard library, so that the hook, the commands and the controller
// all judge an object by the same code.
//
// # Objects
//
// An object is a JSON document at .idumb/<plural>/<name>.json:
//
//	{"apiVersion": "idumb.dev/v1alpha1", "kind": "TaskNode",
//	 "metadata": {"name": "build-login-form", "labels": {}, "annotations": {}},
//	 "spec": {"workPlan": "user-auth", "expectedOutput": "..."}}
//
// apiVersion, kind and metadata may be left out: the folder gives the kind
// and the file's name the name. Spec is what people and agents write. Status is
// what the controller observed; it lives in another file
// (.idumb/status/<plural>/<name>.json, the bare status object) and can be
// deleted at any time, because everything in it is computed from specs and
// from the checkpoint logs.
//
// # One table
//
// Kinds (kinds.go) lists every kind once. The struct tags of a kind's types
// are the one table of its fields: `json` gives the name, `doc` the sentence
// that explain and the JSON Schemas print, and `idumb` the rules that decoding
// and validation apply:
//
//	required        must be present and not empty
//	enum=a|b        one of these
//	ref=tasks       names an object of that kind (its plural)
//	min=0, max=100  bounds of a number; of a text, how many characters it has at most
//	format=dns1123|duration|glob|path|reference|section|version  how a string is read
//	default=48h     of a setting: what holds where it is not set; explain says so
//	text=note       of an object: a text in its place is read as that field of it
//	set             of a list: its order says nothing; changes of two people are merged item by item
//
// # Fields that are not known
//
// What a person or a program gives is decoded strictly (Decode). What stands in a file may
// have been written by a newer build (DecodeFile, Read): a field that this one does not know
// stays with the object and is written back byte for byte (UnknownField).
//
// # Phases
//
// spec.state is what someone claims or wants; status.phase is what holds. Package status
// derives the phases of everything but mems, package memory those of mems, and package graph
// brings both to one view of everything that there is.
package resources
