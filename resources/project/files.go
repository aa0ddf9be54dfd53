// Package project says what a repository is, from the names and contents of its files alone:
// who imports whom, which technologies it has, what its documents are. Its functions are pure;
// who lists and caches files is package inventory.
package project

import "io"

// MaxRead is how many bytes of a file Read returns at most.
const MaxRead = 1 << 20

// Files are those of a repository that count: tracked by git, or not yet and not ignored. It must
// not change while it is being used, by any number of goroutines.
type Files interface {
	// Paths are all of them, from the root, with slashes, sorted by bytes. Nobody may change the
	// slice.
	Paths() []string
	// Read returns the content of one; an error where it is longer than MaxRead, no regular file
	// or gone.
	Read(path string) ([]byte, error)
}

// Opener is what Files may be besides, so that lock files are read to their end however
// long they are: package-lock.json of a large project has several MiB.
type Opener interface {
	Open(path string) (io.ReadCloser, error)
}
