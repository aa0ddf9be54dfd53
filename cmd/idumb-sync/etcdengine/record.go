package etcdengine

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"go.etcd.io/etcd/api/v3/etcdserverpb"

	"github.com/idumb-dev/idumb/controller/sync/engine"
)

// Seen is what a clone knows of the etcd that it met last.
type Seen struct {
	Cluster  string `json:"cluster"`
	Revision int64  `json:"revision"`
}

// Record keeps what a clone saw of its etcd, so that one that was set back to an older day, or is
// another one, is noticed before anything is changed.
type Record interface {
	Load() (Seen, error) // the zero value: none yet
	Save(Seen) error
}

// File is a record in a file. Many processes may use it at once: what stands there was seen.
type File string

// Load reads it.
func (f File) Load() (s Seen, err error) {
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		err = fmt.Errorf("what is known of the etcd cannot be read: %s: %w", string(f), err)
	}
	return s, err
}

// Save writes it. What is lost in a crash was true before, and is written again.
func (f File) Save(s Seen) error {
	data, err := json.Marshal(s)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(string(f)), 0o700); err != nil {
		return err
	}
	next, err := os.CreateTemp(filepath.Dir(string(f)), ".etcd-*")
	if err != nil {
		return err
	}
	defer os.Remove(next.Name())
	_, err = next.Write(append(data, '\n'))
	if err = errors.Join(err, next.Close()); err != nil {
		return err
	}
	return os.Rename(next.Name(), string(f))
}

// Forget agrees to meet whatever etcd is there.
func (f File) Forget() error {
	err := os.Remove(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// last is what was seen until now: to be asked for before etcd is, for many processes of a clone
// may ask at once, and each must not take another's later answer for its past.
func (e *Engine) last() (Seen, error) {
	if e.record == nil {
		return Seen{}, nil
	}
	return e.record.Load()
}

// remember holds an answer against what was seen before it was asked for, and keeps it.
func (e *Engine) remember(last Seen, h *etcdserverpb.ResponseHeader) error {
	if e.record == nil {
		return nil
	}
	now := Seen{Cluster: strconv.FormatUint(h.ClusterId, 16), Revision: h.Revision}
	switch {
	case last.Cluster != "" && last.Cluster != now.Cluster:
		return setBack(fmt.Errorf("this is etcd cluster %s, and it was %s until now", now.Cluster, last.Cluster))
	case now.Revision < last.Revision:
		return setBack(fmt.Errorf("etcd was set back from revision %d to %d", last.Revision, now.Revision))
	case now == last:
		return nil
	}
	return e.record.Save(now)
}

func setBack(err error) error {
	return &engine.PersonError{Err: err, Step: "nothing was changed; ask whoever looks after it, then idumb sync enable --engine etcd joins it as it is, where plans are shared with --plans --join, or --plans --seed for what is here"}
}
