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

// LastSeen is the etcd cluster that a clone last saw, with its revision.
type LastSeen struct {
	Cluster  string `json:"cluster"`
	Revision int64  `json:"revision"`
}

// Record stores the etcd state that a clone last saw. It serves to detect a
// restored or replaced etcd before anything is changed.
type Record interface {
	Load() (LastSeen, error) // returns the zero value if there is none
	Save(LastSeen) error
}

// File is a record in a file. It is safe for concurrent use by several
// processes.
type File string

// Load reads the record.
func (f File) Load() (s LastSeen, err error) {
	data, err := os.ReadFile(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err == nil {
		err = json.Unmarshal(data, &s)
	}
	if err != nil {
		err = fmt.Errorf("read the record of the etcd: %s: %w", string(f), err)
	}
	return s, err
}

// Save writes the record. After a crash the previous record is still valid.
func (f File) Save(s LastSeen) error {
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

// Forget removes the record, so that any etcd is accepted.
func (f File) Forget() error {
	err := os.Remove(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// last returns the last seen state. It must be called before a request, because
// another process of the clone may save a later answer in the meantime.
func (e *Engine) last() (LastSeen, error) {
	if e.record == nil {
		return LastSeen{}, nil
	}
	return e.record.Load()
}

// remember compares an answer with the state that was seen before the request
// and saves it.
func (e *Engine) remember(last LastSeen, h *etcdserverpb.ResponseHeader) error {
	if e.record == nil {
		return nil
	}
	now := LastSeen{Cluster: strconv.FormatUint(h.ClusterId, 16), Revision: h.Revision}
	switch {
	case last.Cluster != "" && last.Cluster != now.Cluster:
		return setBack(fmt.Errorf("the etcd cluster changed from %[2]s to %[1]s", now.Cluster, last.Cluster))
	case now.Revision < last.Revision:
		return setBack(fmt.Errorf("etcd was rolled back from revision %d to %d", last.Revision, now.Revision))
	case now == last:
		return nil
	}
	return e.record.Save(now)
}

// setBack returns the error for an etcd that was replaced or rolled back, with the steps to
// continue.
func setBack(err error) error {
	return &engine.PersonError{Err: err, Step: "nothing was changed; consult the etcd administrator, then accept its current state with idumb sync enable --engine etcd (if plans are shared, with --plans --join), or restore this clone's plans with --plans --seed"}
}
