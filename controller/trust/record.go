package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// maxSums is how many forms of one file are trusted, the last ones.
	maxSums = 16
	// maxRecord bounds what is read of a record, in bytes.
	maxRecord = 1 << 20
)

// State is how a repository stands with the person.
type State int

// States. Only Trusted lets text through.
const (
	Unknown State = iota // the person never said anything about it
	Changed              // it was trusted, and files that govern are different ones now
	Trusted
)

// Record is what the person trusts of one repository.
type Record struct {
	root    layout.Root
	last    *Last               // what was looked at before; nil: nothing
	granted bool                // by Variable
	kept    bool                // there is a record
	dir     string              // the folder that it was read in
	file    fs.FileInfo         // the file that it was read from, as it was then
	sums    map[string][]string // of each file, the sums that were trusted, oldest first
	texts   map[string][]byte   // what stood in those that were trusted last, by their sums
	names   map[string][]string // by kind, see Names; as the record was read
}

// Kept reports whether the person trusts the repository as it was at some time, and what has
// changed since then has to be told from it.
func (r Record) Kept() bool { return r.kept && !r.granted }

// Last is what stood in a file when it was trusted last; nil if that is not known. Nobody may change it.
func (r Record) Last(file string) []byte {
	sums := r.sums[file]
	if len(sums) == 0 {
		return nil
	}
	if text := r.texts[sums[len(sums)-1]]; len(text) > 0 {
		return text
	}
	return nil
}

// KnowsRevision is Knows for who has the revision of the content, as resources.Revision makes it.
func (r Record) KnowsRevision(file, rev string) bool {
	return r.granted || r.kept && rev != "" && slices.ContainsFunc(r.sums[file], func(sum string) bool { return strings.HasPrefix(sum, rev) })
}

// Knows reports whether a file of the repository, named from its root, is trusted with
// that content.
func (r Record) Knows(file string, content []byte) bool {
	return r.granted || r.kept && slices.Contains(r.sums[file], sumOf(content))
}

// Has reports whether a file was there when it was trusted last, with whatever content.
func (r Record) Has(file string) bool {
	sums := r.sums[file]
	return len(sums) > 0 && sums[len(sums)-1] != sumOf(nil)
}

// Names lists the objects of a kind whose files were there when they were trusted last, and of
// which it is known what stood in them, sorted. Nobody may change the slice.
func (r Record) Names(kind string) []string { return r.names[kind] }

// Holds reports whether what was trusted of files that changed since then can go on counting: of
// each it is known what stood in it.
func (r Record) Holds(changed []string) bool {
	return !slices.ContainsFunc(changed, func(file string) bool { return r.Has(file) && r.Last(file) == nil })
}

// Any reports whether the person trusts the repository at all, whatever has become of it.
func (r Record) Any() bool { return r.granted || r.kept }

// Granted reports whether Variable grants the trust, so that nothing has to be kept.
func (r Record) Granted() bool { return r.granted }

// Examine looks at the files that govern, as they are now. It returns how the repository
// stands, and the files that the person did not trust in this form, or trusted and which are gone.
func (r Record) Examine() (State, []string) {
	if r.granted {
		return Trusted, nil
	}
	files, err := governing(r.root, r.last)
	var news []string
	for _, f := range files {
		if f.err != nil || !slices.Contains(r.sums[f.path], f.sum) {
			news = append(news, f.path)
		}
	}
	if err == nil {
		news = append(news, r.gone(files)...)
	}
	switch {
	case !r.kept:
		return Unknown, news
	case err != nil || len(news) > 0:
		return Changed, news
	}
	return Trusted, nil
}

// State is Examine without the files.
func (r Record) State() State {
	if !r.granted && !r.kept {
		return Unknown
	}
	s, _ := r.Examine()
	return s
}

// gone lists what was trusted and is not among the files that are there.
func (r Record) gone(files []governingFile) (gone []string) {
	for _, file := range slices.Sorted(maps.Keys(r.sums)) {
		if r.Has(file) && !slices.ContainsFunc(files, func(f governingFile) bool { return f.path == file }) {
			gone = append(gone, file)
		}
	}
	return gone
}

// add trusts one more form of a file; nil is that there is none.
func (r *Record) add(file string, content []byte) {
	if r.sums == nil {
		r.sums = map[string][]string{}
	}
	if r.texts == nil {
		r.texts = map[string][]byte{}
	}
	sum := sumOf(content)
	r.texts[sum] = content
	sums := slices.DeleteFunc(r.sums[file], func(old string) bool { return old == sum || old == sumOf(nil) })
	sums = append(sums, sum)
	r.sums[file] = sums[max(0, len(sums)-maxSums):]
}

// text is the record as it is kept: a line that says of which repository, then one line
// per sum and file, and one for what stood in each file last.
func (r Record) text(real string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# what is trusted in %q; idumb trust --revoke forgets it\n", real)
	for _, file := range slices.Sorted(maps.Keys(r.sums)) {
		for _, sum := range r.sums[file] {
			b.WriteString(sum + " " + file + "\n")
		}
		if text := r.Last(file); text != nil {
			b.WriteString(textWord + base64.StdEncoding.EncodeToString(text) + "\n")
		}
	}
	return b.Bytes()
}

// textWord begins a line that holds what stood in a file.
const textWord = "text "

// parse reads what text wrote into a record; lines that are none are left out.
func (r *Record) parse(data []byte) {
	r.sums, r.texts, r.names = map[string][]string{}, map[string][]byte{}, map[string][]string{}
	last := ""
	for line := range strings.Lines(string(data)) {
		sum, file, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		switch {
		case ok && len(sum) == hex.EncodedLen(sha256.Size):
			r.sums[file], last = append(r.sums[file], sum), sum
		case ok && sum+" " == textWord:
			if text, err := base64.StdEncoding.DecodeString(file); err == nil {
				r.texts[last] = text
			}
		}
	}
	for file := range r.sums {
		if key, ok := layout.KeyOf(file); ok && r.Last(file) != nil {
			r.names[key.Kind] = append(r.names[key.Kind], key.Name)
		}
	}
	for _, names := range r.names {
		slices.Sort(names)
	}
}

// readRecord reads a file of this user's own; where it is the one that the last record was read
// from, it returns that.
func readRecord(file string, last Record) (r Record, err error) {
	f, err := openPlain(file)
	if err != nil {
		return r, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !ours(info) {
		return r, errors.Join(err, fs.ErrPermission)
	}
	if last.isOf(info) {
		return last, nil
	}
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), maxRecord)+bytes.MinRead))
	if _, err = data.ReadFrom(io.LimitReader(f, maxRecord)); err != nil {
		return r, err
	}
	r.kept, r.file = true, info
	r.parse(data.Bytes())
	return r, nil
}

// isOf reports whether a record was read from a file as it is now: records are replaced, not rewritten.
func (r Record) isOf(now fs.FileInfo) bool {
	return r.file != nil && os.SameFile(r.file, now) && r.file.Size() == now.Size() && r.file.ModTime().Equal(now.ModTime())
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
