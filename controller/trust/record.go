package trust

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/store/layout"
)

const (
	// maxSums is the maximum number of trusted versions of one file; the oldest
	// are dropped.
	maxSums = 16
	// maxRecord is the maximum size of a record that is read, in bytes.
	maxRecord = 1 << 20
)

// State is the user's trust in a repository.
type State int

// States. Text of the repository is used only in state Trusted.
const (
	Unknown State = iota // the user never decided
	Changed              // trusted before, but governing files have changed since
	Trusted
)

// Record contains the user's trusted versions of one repository.
type Record struct {
	root     layout.Root
	last     *Last               // cached state of the files; may be nil
	granted  bool                // by Variable
	exists   bool                // a record exists
	dir      string              // directory of the record
	file     fs.FileInfo         // info of the record's file when it was read
	hashes   map[string][]string // file -> trusted hashes, oldest first
	contents map[string][]byte   // hash -> content of the last trusted version
	names    map[string][]string // kind -> see Names; as of the record's file
}

// TrustsEarlier reports whether the user trusts an earlier version of the repository, so
// that changes since can be listed.
func (r Record) TrustsEarlier() bool { return r.exists && !r.granted }

// Last returns the last trusted content of a file, or nil if unknown. The
// caller must not modify it.
func (r Record) Last(file string) []byte {
	sums := r.hashes[file]
	if len(sums) == 0 {
		return nil
	}
	if text := r.contents[sums[len(sums)-1]]; len(text) > 0 {
		return text
	}
	return nil
}

// KnowsRevision is like Knows for a revision made by resources.Revision.
func (r Record) KnowsRevision(file, rev string) bool {
	return r.granted || r.exists && rev != "" && slices.ContainsFunc(r.hashes[file], func(sum string) bool { return strings.HasPrefix(sum, rev) })
}

// Knows reports whether a repository file with that content is trusted. file is
// relative to the root.
func (r Record) Knows(file string, content []byte) bool {
	return r.granted || r.exists && slices.Contains(r.hashes[file], sumOf(content))
}

// Has reports whether the file existed when it was last trusted.
func (r Record) Has(file string) bool {
	sums := r.hashes[file]
	return len(sums) > 0 && sums[len(sums)-1] != sumOf(nil)
}

// Names returns the objects of a kind with known last trusted content, sorted.
// The caller must not modify the slice.
func (r Record) Names(kind string) []string { return r.names[kind] }

// CanStayInEffect reports whether the last trusted versions of changed files can stay in
// effect, that is, whether their contents are known.
func (r Record) CanStayInEffect(changed []string) bool {
	return !slices.ContainsFunc(changed, func(file string) bool { return r.Has(file) && r.Last(file) == nil })
}

// Any reports whether the user trusts any version of the repository.
func (r Record) Any() bool { return r.granted || r.exists }

// Granted reports whether Variable grants the trust, so that no record is
// needed.
func (r Record) Granted() bool { return r.granted }

// Examine compares the current governing files with the record. It returns the
// state and the files with untrusted content or that were trusted and are
// missing now.
func (r Record) Examine() (State, []string) {
	if r.granted {
		return Trusted, nil
	}
	files, err := readGoverning(r.root, r.last)
	var news []string
	for _, f := range files {
		if f.err != nil || !slices.Contains(r.hashes[f.path], f.sum) {
			news = append(news, f.path)
		}
	}
	if err == nil {
		news = append(news, r.missingFiles(files)...)
	}
	switch {
	case !r.exists:
		return Unknown, news
	case err != nil || len(news) > 0:
		return Changed, news
	}
	return Trusted, nil
}

// State returns the state of Examine.
func (r Record) State() State {
	if !r.granted && !r.exists {
		return Unknown
	}
	s, _ := r.Examine()
	return s
}

// missingFiles returns the trusted files that are missing now.
func (r Record) missingFiles(files []governingFile) (gone []string) {
	for _, file := range slices.Sorted(maps.Keys(r.hashes)) {
		if r.Has(file) && !slices.ContainsFunc(files, func(f governingFile) bool { return f.path == file }) {
			gone = append(gone, file)
		}
	}
	return gone
}

// add adds a trusted version of a file; nil means that the file does not exist.
func (r *Record) add(file string, content []byte) {
	if r.hashes == nil {
		r.hashes = map[string][]string{}
	}
	if r.contents == nil {
		r.contents = map[string][]byte{}
	}
	sum := sumOf(content)
	r.contents[sum] = content
	sums := slices.DeleteFunc(r.hashes[file], func(old string) bool { return old == sum || old == sumOf(nil) })
	sums = append(sums, sum)
	r.hashes[file] = sums[max(0, len(sums)-maxSums):]
}

// text encodes the record: a comment line with the repository, one line per
// hash and file, and a line with the last trusted content of each file.
func (r Record) text(real string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# trusted content of %q; idumb trust --revoke removes it\n", real)
	for _, file := range slices.Sorted(maps.Keys(r.hashes)) {
		for _, sum := range r.hashes[file] {
			b.WriteString(sum + " " + file + "\n")
		}
		if text := r.Last(file); text != nil {
			b.WriteString(textWord + base64.StdEncoding.EncodeToString(text) + "\n")
		}
	}
	return b.Bytes()
}

// textWord is the prefix of a line with the content of a file.
const textWord = "text "

// parse decodes the output of text. It ignores invalid lines.
func (r *Record) parse(data []byte) {
	r.hashes, r.contents, r.names = map[string][]string{}, map[string][]byte{}, map[string][]string{}
	last := ""
	for line := range strings.Lines(string(data)) {
		switch sum, file, ok := strings.Cut(strings.TrimRight(line, "\r\n"), " "); {
		case ok && len(sum) == hex.EncodedLen(sha256.Size):
			r.hashes[file], last = append(r.hashes[file], sum), sum
		case ok && sum+" " == textWord:
			if text, err := base64.StdEncoding.DecodeString(file); err == nil {
				r.contents[last] = text
			}
		}
	}
	for file := range r.hashes {
		if key, ok := layout.KeyOf(file); ok && r.Last(file) != nil {
			r.names[key.Kind] = append(r.names[key.Kind], key.Name)
		}
	}
	for _, names := range r.names {
		slices.Sort(names)
	}
}

// readRecord reads a record file of the current user. If it is the unchanged
// file of last, it returns last.
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
	r.exists, r.file = true, info
	r.parse(data.Bytes())
	return r, nil
}

// isOf reports whether a record was read from the current version of a file.
// Record files are replaced, not rewritten.
func (r Record) isOf(now fs.FileInfo) bool {
	return r.file != nil && os.SameFile(r.file, now) && r.file.Size() == now.Size() && r.file.ModTime().Equal(now.ModTime())
}

// sumOf returns the SHA-256 of data in hexadecimal.
func sumOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// People returns the e-mail addresses of the authors whose comments instruct
// this user's agents even if the comments came through git: "people" in
// config.json of UserDir. It returns nil if the file is unreadable.
func People(root layout.Root, getenv func(string) string) []string {
	folder := UserDir(root, getenv)
	if folder == "" {
		return nil
	}
	var settings struct {
		People []string `json:"people"`
	}
	data, err := os.ReadFile(filepath.Join(folder, "config.json"))
	if err != nil || json.Unmarshal(data, &settings) != nil {
		return nil
	}
	return settings.People
}
