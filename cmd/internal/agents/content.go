package agents

import (
	"bytes"

	"github.com/idumb-dev/idumb/cmd/internal/agents/textdiff"
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

// undo returns a file's text without what is ours, and what of it was kept because
// a person changed it. Where installing was the only change since, that is the text
// from before, byte for byte; nil if there was no file. Where a person changed other
// lines, it is the text from before with their changes. Where they changed the very
// lines that Install wrote, or nobody remembers what was there before, our entries
// are cut out of the text as it stands.
func undo(f File, now []byte, was *recorded, renew bool) (clean []byte, kept []string, err error) {
	if now == nil {
		return nil, nil, nil
	}
	cut, kept, err := f.content.take(now, was, renew)
	if err != nil || !f.content.has(now) && cut != nil {
		return now, kept, err // nothing of ours, or nothing that can be read
	}
	if was == nil {
		return withoutRecord(f, now, cut), kept, nil
	}
	if len(kept) == 0 && bytes.Equal(now, was.After) {
		return was.before, nil, nil
	}
	if cut != nil && len(kept) == 0 {
		if merged, ok := textdiff.Undo(was.before, was.After, now); ok && f.content.same(merged, cut) {
			cut = merged
		}
	}
	if !was.Existed && f.content.bare(cut) {
		return nil, kept, nil
	}
	return cut, kept, nil
}

// withoutRecord tells a file that Install made from one that it found: the first
// is exactly what Install makes of nothing.
func withoutRecord(f File, now, cut []byte) []byte {
	if made, _, err := f.content.put(nil, false); err == nil && bytes.Equal(made, bytes.ReplaceAll(now, []byte("\r\n"), []byte("\n"))) {
		return nil
	}
	return cut
}
