// Package resources defines iDumb's objects: their types, defaults and validation rules. It
// does no I/O, starts no goroutine and imports only the standard library, so that the hook,
// the commands and the controller evaluate objects with the same code.
//
// # Objects
//
// An object is a JSON document at .idumb/<plural>/<name>.json:
//
//	{"apiVersion": "idumb.dev/v1alpha1", "kind": "TaskNode",
//	 "metadata": {"name": "build-login-form", "labels": {}, "annotations": {}},
//	 "spec": {"workPlan": "user-auth", "expectedOutput": "..."}}
//
// The fields apiVersion, kind and metadata are optional: the directory determines the kind
// and the file name determines the name. Users and agents write the spec. The controller
// writes the status to another file (.idumb/status/<plural>/<name>.json, the bare status
// object). A status file can be deleted at any time, because it is computed from specs and
// checkpoint logs.
//
// # Field tables
//
// Kinds (kinds.go) lists every kind. The struct tags of a kind's types define its field
// table: `json` contains the name, `doc` the description for explain and the JSON Schemas,
// and `idumb` the rules for decoding and validation:
//
//	required        must be present and not empty
//	enum=a|b        one of these values
//	ref=tasks       the name of an object of that kind (its plural)
//	min=0, max=100  bounds of a number; for a text, max limits its characters
//	format=dns1123|duration|glob|path|reference|section|version  the syntax of a string
//	default=48h     for a setting: the value if it is unset; explain prints it
//	flag=expect     the flag of the command line that sets the field; flag=rule* takes one item of a list at a time
//	text=note       for an object: a string is accepted instead and decoded as this field
//	set             for a list: the order is irrelevant; concurrent changes are merged item by item
//
// # Unknown fields
//
// Decode is strict and decodes the input of users and programs. A stored file may have been
// written by a newer build. DecodeFile and Read therefore preserve its unknown fields, and
// Encode writes them back unchanged, byte by byte (UnknownField).
//
// # Phases
//
// spec.state is the claimed or desired state. status.phase is the observed state. Package
// memory derives the phases of mems, and package status the phases of all other kinds.
// Package graph combines both in one view of all objects.
package resources
