package inventory

import (
	"bufio"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources/source"
)

// The cache stores facts by content, for the next start and for other working
// trees of the repository. Its files are in git's common directory; they are
// written once and never changed. Without the cache, only some seconds are
// lost.

const (
	factsFolder = "idumb/facts" // in git's common directory
	maxFiles    = 16            // number of files from which they are merged
	maxAge      = 30 * 24 * time.Hour
	maxCache    = 256 << 20 // maximum size of a file that is read, in bytes
)

// cache holds facts by content. It is safe for concurrent use.
type cache struct {
	folder   string
	mu       sync.Mutex
	loaded   bool
	read     []string                 // files whose facts are loaded
	facts    map[string]source.Packed // by language and blob
	newFacts map[string]source.Packed // facts that are not in a file yet
}

// get returns the facts of a key, or "".
func (c *cache) get(key string) source.Packed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.facts[key]
}

// store adds the facts of a key, to be written by save.
func (c *cache) store(key string, facts source.Packed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.facts[key], c.newFacts[key] = facts, facts
}

// names returns the cache files of this version of the scanners. It removes old
// files of other versions.
func (c *cache) names() (names []string) {
	entries, _ := os.ReadDir(c.folder)
	for _, e := range entries {
		switch info, err := e.Info(); {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(e.Name(), source.Version+"-") && info.Size() <= maxCache:
			names = append(names, filepath.Join(c.folder, e.Name()))
		case time.Since(info.ModTime()) > maxAge:
			_ = os.Remove(filepath.Join(c.folder, e.Name()))
		}
	}
	return names
}

// load reads the cache files on the first call.
func (c *cache) load() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.loaded {
		return
	}
	c.loaded = true
	c.read = c.names()
	for _, name := range c.read {
		readFacts(name, c.facts)
	}
}

// readFacts adds the facts of one file. It ignores a corrupt or foreign file.
// The facts stay in memory in the file's encoding.
func readFacts(name string, facts map[string]source.Packed) {
	f, err := os.OpenFile(name, os.O_RDONLY|layout.NoFollow, 0)
	if err != nil {
		return
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return
	}
	var b strings.Builder
	b.Grow(int(min(info.Size(), maxCache)))
	if _, err := io.Copy(&b, io.LimitReader(f, maxCache)); err == nil {
		decode(b.String(), facts)
	}
}

// sumSize is the size of the checksum at the end of a file.
const sumSize = crc32.Size

// decode adds the facts of a file. The file contains keys and facts, each
// preceded by its length.
func decode(text string, facts map[string]source.Packed) {
	end := len(text) - sumSize
	if end < 0 {
		return
	}
	sum := crc32.NewIEEE()
	_, _ = io.WriteString(sum, text[:end])
	if text[end:] != string(sum.Sum(nil)) {
		return
	}
	for rest := text[:end]; rest != ""; {
		key, after, whole := cutText(rest)
		packed, after, too := cutText(after)
		if !whole || !too {
			return
		}
		facts[key], rest = source.Packed(packed), after
	}
}

// cutText splits a length-prefixed text from the beginning of a text. whole is
// false if the text is cut off.
func cutText(from string) (text, after string, whole bool) {
	const head = 4
	if len(from) < head {
		return "", "", false
	}
	n := uint64(binary.BigEndian.Uint32([]byte(from[:head])))
	if n > uint64(len(from)-head) {
		return "", "", false
	}
	return from[head : head+n], from[head+n:], true
}

// encode writes facts by key in the format that decode reads.
func encode(to io.Writer, facts map[string]source.Packed) error {
	sum := crc32.NewIEEE()
	w := bufio.NewWriter(io.MultiWriter(to, sum))
	var head []byte
	for key, packed := range facts {
		for _, text := range []string{key, string(packed)} {
			head = binary.BigEndian.AppendUint32(head[:0], uint32(len(text)))
			_, _ = w.Write(head) // Flush reports errors
			_, _ = w.WriteString(text)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := to.Write(sum.Sum(nil))
	return err
}

// save writes new facts into a new file. If there are many files, it merges all
// facts into one file and removes the merged ones. Files that another process
// wrote in the meantime stay.
func (c *cache) save() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.newFacts) == 0 {
		return
	}
	merges := len(c.read) >= maxFiles
	facts := c.newFacts
	if merges {
		facts = c.facts
	}
	name, err := c.write(facts)
	if err != nil {
		return // only some seconds are lost
	}
	if c.newFacts = map[string]source.Packed{}; merges {
		for _, old := range c.read {
			_ = os.Remove(old)
		}
		c.read = nil
	}
	c.read = append(c.read, name)
}

// write writes facts into a new file atomically and returns its name.
func (c *cache) write(facts map[string]source.Packed) (name string, err error) {
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	if err = errors.Join(encode(f, facts), f.Close()); err != nil {
		return "", err
	}
	name = filepath.Join(c.folder, source.Version+"-"+strings.ToLower(rand.Text()))
	return name, os.Rename(f.Name(), name)
}
