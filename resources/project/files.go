// Package project says what a repository is, from the names and contents of its files alone:
// who imports whom, which technologies it has, what its documents are. Its functions are pure;
// who lists and caches files is package inventory.
package project

// Files are those of a repository that count: tracked by git, or not yet and not ignored.
// It must not change while it is being used.
type Files interface {
	// Paths are all of them, from the root, with slashes, sorted by bytes.
	Paths() []string
	// Read returns the content of one, at most 1 MiB; an error where it is larger, no regular
	// file or gone.
	Read(path string) ([]byte, error)
}
