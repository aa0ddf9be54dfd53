package inventory

import (
	"bufio"
	"compress/flate"
	"crypto/rand"
	"encoding/gob"
	"errors"
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
	maxCache    = 64 << 20 // bytes of a file that is believed
)

// cache is what is known by content. Its methods may be called by any number of goroutines.
type cache struct {
	folder string
	mu     sync.Mutex
	loaded bool
	read   []string                 // the files whose facts are known
	facts  map[string]*source.Facts // by language and blob
	fresh  map[string]*source.Facts // those that stand in no file yet
}

func newCache(root layout.Root) *cache {
	folder := root.Abs(layout.Dir + "/run/map")
	if git := layout.GitDir(string(root)); git != "" {
		folder = filepath.Join(layout.CommonDir(git), filepath.FromSlash(factsFolder))
	}
	return &cache{folder: folder, facts: map[string]*source.Facts{}, fresh: map[string]*source.Facts{}}
}

func (c *cache) get(key string) *source.Facts {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.facts[key]
}

func (c *cache) put(key string, facts *source.Facts) {
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
		for key, facts := range readFacts(name) {
			c.facts[key] = facts
		}
	}
}

// readFacts reads one file; what is torn or from elsewhere is not believed.
func readFacts(name string) (facts map[string]*source.Facts) {
	f, err := os.OpenFile(name, os.O_RDONLY|layout.NoFollow, 0)
	if err != nil {
		return nil
	}
	defer f.Close()
	if gob.NewDecoder(bufio.NewReader(flate.NewReader(f))).Decode(&facts) != nil {
		return nil
	}
	return facts
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
	if c.fresh = map[string]*source.Facts{}; merges {
		for _, old := range c.read {
			_ = os.Remove(old)
		}
		c.read = nil
	}
	c.read = append(c.read, name)
}

// write writes facts into a new file, whole or not at all, and returns its name.
func (c *cache) write(facts map[string]*source.Facts) (name string, err error) {
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(c.folder, "new-*")
	if err != nil {
		return "", err
	}
	defer os.Remove(f.Name())
	packed, err := flate.NewWriter(f, flate.BestSpeed)
	if err == nil {
		err = gob.NewEncoder(packed).Encode(facts)
	}
	if err == nil {
		err = packed.Close()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return "", err
	}
	name = filepath.Join(c.folder, source.Version+"-"+strings.ToLower(rand.Text()))
	return name, os.Rename(f.Name(), name)
}
