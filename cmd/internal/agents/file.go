package agents

import (
	"bytes"
)

// File is one file that belongs to a host's installation.
type File struct {
	Path    string // from the repository's root, with '/'
	content content
}

// content is what of a file is ours. All of its methods are pure.
type content interface {
	// put returns text with what is ours in it and up to date. text holds nothing
	// of ours but what a person changed: such things are kept, and named, unless
	// renew says to replace them. nil stands for no file, before and after.
	put(text []byte, renew bool) (after []byte, kept []string, err error)
	// take returns text without what is ours. was is what Install remembers of it, nil if
	// nobody knows: it tells what an earlier version wrote from what a person changed.
	take(text []byte, was *recorded, renew bool) (after []byte, kept []string, err error)
	// missing names what of ours text lacks, or holds in another form; edited
	// names what a person changed.
	missing(text []byte, was *recorded) (missing, edited []string, err error)
	// has reports whether anything of ours is in text.
	has(text []byte) bool
	// same reports whether two texts mean the same to the host.
	same(a, b []byte) bool
	// bare reports whether nothing is in text that a person would miss.
	bare(text []byte) bool
}

// endLinesAs ends the lines of text with CRLF if all lines of the model end so.
func endLinesAs(model, text []byte) []byte {
	lf, crlf := []byte("\n"), []byte("\r\n")
	if n := bytes.Count(model, crlf); n == 0 || n != bytes.Count(model, lf) {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), lf, crlf)
}
