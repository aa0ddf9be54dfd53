package agents

import (
	"bytes"
)

// File is one file of a host's installation.
type File struct {
	Path    string // relative to the repository's root, with '/'
	content content
}

// content is iDumb's part of a file. All methods are pure.
type content interface {
	// insert returns text with the current version of iDumb's part. text contains no such part
	// except what a user changed, which is kept and named unless renew is true. nil means that the
	// file does not exist, as argument and as result.
	insert(text []byte, renew bool) (after []byte, kept []string, err error)
	// remove returns text without iDumb's part. was is the record of Install, or nil. It
	// distinguishes the text of an earlier version from a user's edits.
	remove(text []byte, was *recorded, renew bool) (after []byte, kept []string, err error)
	// missing returns the names of entries that text lacks or has in another form, and the names of
	// entries that a user edited.
	missing(text []byte, was *recorded) (missing, edited []string, err error)
	// contains reports whether text contains any of iDumb's entries.
	contains(text []byte) bool
	// equivalent reports whether two texts mean the same to the host.
	equivalent(a, b []byte) bool
	// isEmpty reports whether text contains nothing that a user needs.
	isEmpty(text []byte) bool
}

// endLinesAs ends the lines of text with CRLF if all lines of model do.
func endLinesAs(model, text []byte) []byte {
	lf, crlf := []byte("\n"), []byte("\r\n")
	if n := bytes.Count(model, crlf); n == 0 || n != bytes.Count(model, lf) {
		return text
	}
	return bytes.ReplaceAll(bytes.ReplaceAll(text, crlf, lf), lf, crlf)
}

// undoInstall returns a file's text without iDumb's part, and the names of entries that were kept
// because a user changed them. If Install made the only change, the result is exactly the text
// before it, nil if the file did not exist. If a user changed other lines, the result is that text
// with their changes. If they changed the lines of Install, or its record is missing, undoInstall
// cuts the entries out of the current text.
func undoInstall(f File, now []byte, was *recorded, renew bool) (clean []byte, kept []string, err error) {
	if now == nil {
		return nil, nil, nil
	}
	cut, kept, err := f.content.remove(now, was, renew)
	if err != nil || !f.content.contains(now) && cut != nil {
		return now, kept, err // without iDumb's entries, or unreadable
	}
	if was == nil {
		return withoutRecord(f, now, cut), kept, nil
	}
	if len(kept) == 0 && bytes.Equal(now, was.Installed) {
		return was.backup, nil, nil
	}
	if cut != nil && len(kept) == 0 {
		if merged, ok := Undo(was.backup, was.Installed, now); ok && f.content.equivalent(merged, cut) {
			cut = merged
		}
	}
	if !was.Existed && f.content.isEmpty(cut) {
		return nil, kept, nil
	}
	return cut, kept, nil
}

// withoutRecord returns nil for a file that Install created, otherwise cut. Install created the
// file if it is exactly the result for a missing file.
func withoutRecord(f File, now, cut []byte) []byte {
	if made, _, err := f.content.insert(nil, false); err == nil && bytes.Equal(made, bytes.ReplaceAll(now, []byte("\r\n"), []byte("\n"))) {
		return nil
	}
	return cut
}
