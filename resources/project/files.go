// Package project analyzes a repository from the names and contents of its files: imports,
// technologies and documents. All functions are pure. Package inventory lists and caches
// the files.
package project

import "io"

// MaxRead is the maximum number of bytes that Read returns.
const MaxRead = 1 << 20

// Files provides the files of a repository that are tracked, or untracked and not ignored.
// It must not change while it is in use, and must be safe for concurrent use.
type Files interface {
	// Paths returns all paths from the root, with slashes, sorted by bytes. The result must
	// not be modified.
	Paths() []string
	// Read returns the content of a file. It returns an error if the file is longer than
	// MaxRead, is not a regular file or does not exist.
	Read(path string) ([]byte, error)
}

// Opener is an optional interface of Files for reading long lock files completely: the
// package-lock.json of a large project has several MiB.
type Opener interface {
	Open(path string) (io.ReadCloser, error)
}
