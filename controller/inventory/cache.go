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

// The cache keeps facts by content, for the next start and for other working trees of the
// repository, in files of git's common folder that are written once and never changed. Without it
// nothing is lost but seconds.

const (
	factsFolder = "idumb/facts" // in git's common folder
	maxFiles    = 16            // so many files are merged into one
	maxAge      = 30 * 24 * time.Hour
	maxCache    = 256 << 20 // bytes of a file that is believed
)

// cache is what is known by content. Its methods may be called by any number of goroutines.
type cache struct {
	folder string
	mu     sync.Mutex
	loaded bool
	read   []string                 // the files whose facts are known
	facts  map[string]source.Packed // by language and blob
	fresh  map[string]source.Packed // those that stand in no file yet
}

func newCache(root layout.Root) *cache {
	folder := root.Abs(layout.Dir + "/run/map")
	if git := layout.GitDir(string(root)); git != "" {
		folder = filepath.Join(layout.CommonDir(git), filepath.FromSlash(factsFolder))
	}
	return &cache{folder: folder, facts: map[string]source.Packed{}, fresh: map[string]source.Packed{}}
}

// get is what is known by a key; "" if nothing is.
func (c *cache) get(key string) source.Packed {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.facts[key]
}

func (c *cache) put(key string, facts source.Packed) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.facts[key], c.fresh[key] = facts, facts
}

// names are the files of this version of the scanners; those of others that have become old go.
func (c *cache) names() (names []string) {
	entries, _ := os.ReadDir(c.folder)
	for _, e := range entries {
		info, err := e.Info()
		switch {
		case err != nil || !info.Mode().IsRegular():
		case strings.HasPrefix(e.Name(), source.Version+"-") && info.Size() <= maxCache:
			names = append(names, filepath.Join(c.folder, e.Name()))
		case time.Since(info.ModTime()) > maxAge:
			_ = os.Remove(filepath.Join(c.folder, e.Name()))
		}
	}
	return names
}

// load reads what earlier runs found, once.
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

// readFacts adds those of one file; what is torn or from elsewhere is not believed. The facts stand
// in memory as they do in the file.
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

// sumSize is how many bytes at the end of a file are the sum over all before.
const sumSize = crc32.Size

// decode adds the facts of a file, each with its key before it, both with their lengths.
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

// cutText is the text at the beginning of another one, with its length before it.
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

// encode writes what decode reads.
func encode(to io.Writer, facts map[string]source.Packed) error {
	sum := crc32.NewIEEE()
	w := bufio.NewWriter(io.MultiWriter(to, sum))
	var head []byte
	for key, packed := range facts {
		for _, text := range []string{key, string(packed)} {
			head = binary.BigEndian.AppendUint32(head[:0], uint32(len(text)))
			_, _ = w.Write(head) // what fails is told by Flush
			_, _ = w.WriteString(text)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := to.Write(sum.Sum(nil))
	return err
}

// keep writes what is new into a file of its own. Where many have come together it writes one of all
// that is known, and removes those that this is from: what another process wrote meanwhile stays.
func (c *cache) keep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.fresh) == 0 {
		return
	}
	merges := len(c.read) >= maxFiles
	facts := c.fresh
	if merges {
		facts = c.facts
	}
	name, err := c.write(facts)
	if err != nil {
		return // nothing is lost but seconds
	}
	if c.fresh = map[string]source.Packed{}; merges {
		for _, old := range c.read {
			_ = os.Remove(old)
		}
		c.read = nil
	}
	c.read = append(c.read, name)
}

// write writes facts into a new file, whole or not at all, and returns its name.
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
