package migrate

import "github.com/idumb-dev/idumb/resources"

// File is one file of a source.
type File struct {
	Path string // from the source's root, with '/'
	Data []byte
}

// Input is the input of a conversion.
type Input struct {
	Files []File
	// Get returns the existing object with a key (mutate.View.Get). nil means that no
	// objects exist.
	Get func(resources.Key) (resources.Object, bool)
}

// Log is a line for a task's checkpoint log.
type Log struct {
	Task       string // name of the task
	Checkpoint resources.Checkpoint
}

// Outcome is the result of a conversion.
type Outcome struct {
	// Objects are the objects to write, plans before tasks, each kind by name. They are new
	// objects, and objects with a changed source that were not edited here.
	Objects []resources.Object
	// Logs are lines for checkpoint logs. They include lines that already exist.
	Logs []Log
	// Leftovers are source files to store below archive/unmapped.
	Leftovers []Leftover
	Report    Report
	// Foreign is the reason why the source is not in this format. Empty if it is, or may
	// be.
	Foreign string
}

// Leftover is a source file to archive unchanged. Its name contains a digest, so that an
// identical file is stored once and different versions are stored separately.
type Leftover struct {
	Path string // below archive/unmapped, with '/'
	Data []byte
}

// Converter converts a source to objects. It never fails: data that it cannot read is in
// the report and among the leftovers.
type Converter func(Input) Outcome
