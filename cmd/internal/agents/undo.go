package agents

import (
	"bytes"

	"github.com/idumb-dev/idumb/cmd/internal/agents/textdiff"
)

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
