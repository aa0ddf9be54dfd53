package migrate

import "github.com/idumb-dev/idumb/resources"

// File is one file of a source.
type File struct {
	Path string // from the source's root, with '/'
	Data []byte
}

// Input is what a conversion is given.
type Input struct {
	Files []File
	// Get looks up what is there now (mutate.View.Get); nil means nothing is.
	Get func(resources.Key) (resources.Object, bool)
}

// Log is a line for a task's checkpoint log.
type Log struct {
	Task       string // name
	Checkpoint resources.Checkpoint
}

// Outcome is what a conversion made.
type Outcome struct {
	// Objects are to be written, plans before tasks, each kind by name: those that are not
	// there yet, and those whose source changed since they were made and that nobody edited.
	Objects []resources.Object
	// Logs are lines for checkpoint logs; those that are there already are among them.
	Logs []Log
	// Leftovers are files of the source to be kept below archive/unmapped.
	Leftovers []Leftover
	Report    Report
	// Foreign says why the source is not of this format at all; "" if it is, or may be.
	Foreign string
}

// Leftover is a file of a source that is kept as it was. Its name contains a digest of it, so that the same file is
// kept once, and another version beside it.
type Leftover struct {
	Path string // below archive/unmapped, with '/'
	Data []byte
}

// Converter turns a source into objects. It never fails: what it cannot read is in the
// report and among the leftovers.
type Converter func(Input) Outcome
