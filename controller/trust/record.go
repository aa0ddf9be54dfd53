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
	"slices"
	"strings"
	"sync"

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
	granted bool                     // by Variable
	kept    bool                     // there is a record
	dir     string                   // the folder that it was read in
	sums    map[string][]string      // of each file, the sums that were trusted, oldest first
	texts   func() map[string][]byte // what stood in those that were trusted last, by their sums; nil: nothing is known
}

// Kept reports whether the person trusts the repository as it was at some time, and what has
// changed since then has to be told from it.
func (r Record) Kept() bool { return r.kept && !r.granted }

// Last is what stood in a file when it was trusted last; nil if that is not known.
func (r Record) Last(file string) []byte {
	if sums := r.sums[file]; len(sums) > 0 && r.texts != nil {
		return r.texts()[sums[len(sums)-1]]
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

// Has reports whether a file was trusted at all, with whatever content.
func (r Record) Has(file string) bool { return len(r.sums[file]) > 0 }

// Any reports whether the person trusts the repository at all, whatever has become of it.
func (r Record) Any() bool { return r.granted || r.kept }

// Granted reports whether Variable grants the trust, so that nothing has to be kept.
func (r Record) Granted() bool { return r.granted }

// Examine looks at the files that govern, as they are now. It returns how the repository
// stands, and the files that the person did not trust in this form.
func (r Record) Examine() (State, []string) {
	if r.granted {
		return Trusted, nil
	}
	files, err := governing(r.root)
	var news []string
	for _, f := range files {
		if f.err != nil || !slices.Contains(r.sums[f.path], f.sum) {
			news = append(news, f.path)
		}
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

// add trusts one more form of a file.
func (r *Record) add(file string, content []byte) {
	if r.sums == nil {
		r.sums = map[string][]string{}
	}
	if r.texts == nil {
		r.texts = textsIn(nil)
	}
	sum := sumOf(content)
	r.texts()[sum] = content
	sums := slices.DeleteFunc(r.sums[file], func(old string) bool { return old == sum })
	sums = append(sums, sum)
	r.sums[file] = sums[max(0, len(sums)-maxSums):]
}

// text is the record as it is kept: a line that says of which repository, then one line
// per sum and file, and one for what stood in each file last.
func (r Record) text(real string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# what is trusted in %q; idumb untrust forgets it\n", real)
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

// textsIn reads those lines once somebody asks, which few do.
func textsIn(data []byte) func() map[string][]byte {
	return sync.OnceValue(func() map[string][]byte {
		texts := map[string][]byte{}
		for line := range strings.Lines(string(data)) {
			if text, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), textWord); ok {
				if content, err := base64.StdEncoding.DecodeString(text); err == nil {
					texts[sumOf(content)] = content
				}
			}
		}
		return texts
	})
}

// parse reads what text wrote; lines that are none are left out.
func parse(data []byte) map[string][]string {
	sums := map[string][]string{}
	for line := range bytes.Lines(data) {
		sum, file, ok := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte{' '})
		if ok && len(sum) == hex.EncodedLen(sha256.Size) {
			sums[string(file)] = append(sums[string(file)], string(sum))
		}
	}
	return sums
}

// readRecord reads a file of this user's own.
func readRecord(file string) ([]byte, error) {
	f, err := openPlain(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || !ours(info) {
		return nil, errors.Join(err, fs.ErrPermission)
	}
	data := bytes.NewBuffer(make([]byte, 0, min(info.Size(), maxRecord)+bytes.MinRead))
	_, err = data.ReadFrom(io.LimitReader(f, maxRecord))
	return data.Bytes(), err
}

func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}
