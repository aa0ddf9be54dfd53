package sync

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/exchange"
)

// EngineGit uses the team's git remote. EngineEtcd is for large teams.
const (
	EngineGit  = "git"
	EngineEtcd = "etcd"
)

// The user's settings (planned.SettingsFile) determine which clones share
// claims, and how. The repository must not, because it could choose who
// receives its plans.
const (
	maxSettings = 1 << 20
)

// Settings configures the sync of one clone.
type Settings struct {
	Engine string `json:"engine"`           // EngineGit or EngineEtcd
	Remote string `json:"remote,omitempty"` // git: URL that the user approved
	Team   string `json:"team,omitempty"`   // etcd: name of the team
	Repo   string `json:"repo,omitempty"`   // etcd: name of this repository in the team
	Clone  string `json:"clone"`            // random ID of this clone
	Plans  bool   `json:"state,omitempty"`  // share objects too
}

// Location describes the location of claims for users.
func (s Settings) Location() string {
	if s.Engine == EngineEtcd {
		return "etcd, below /idumb/" + s.Team + "/" + s.Repo + "/"
	}
	return "refs/idumb/claims on " + s.Remote
}

// WherePlans describes the location of objects for users, as the continuation
// of Location.
func (s Settings) WherePlans() string {
	if s.Engine == EngineEtcd {
		return "the same etcd"
	}
	return "refs/idumb/state there"
}

// settings holds the settings of all clones of a user, by git's common
// directory, and the user's etcd connection.
type settings struct {
	Etcd         *Server             `json:"etcd,omitempty"`
	Repositories map[string]Settings `json:"repositories"`
	Declined     map[string]bool     `json:"declined,omitempty"` // clones whose user works without the team's plans
}

// Load returns the settings of a clone. It returns nil if sync is not enabled.
func Load(root layout.Root, getenv func(string) string) (*Settings, error) {
	file, clone := planvisibility.SettingsPlace(root, getenv)
	if file == "" {
		return nil, nil
	}
	all, err := read(file)
	if err != nil {
		return nil, err
	}
	if s, ok := all.Repositories[clone]; ok {
		return &s, nil
	}
	return byEnvironment(root, getenv), nil
}

// Save writes the settings of a clone. nil disables sync.
func Save(root layout.Root, getenv func(string) string, s *Settings) error {
	return revise(root, getenv, func(all *settings, clone string) {
		delete(all.Repositories, clone)
		if s != nil {
			all.Repositories[clone] = *s
			delete(all.Declined, clone)
		}
	})
}

// Decline records that the user of a clone works without the plans that the
// team shares.
func Decline(root layout.Root, getenv func(string) string) error {
	return revise(root, getenv, func(all *settings, clone string) { all.Declined[clone] = true })
}

// revise applies a change to the user's settings.
func revise(root layout.Root, getenv func(string) string, change func(all *settings, clone string)) error {
	file, clone := planvisibility.SettingsPlace(root, getenv)
	if file == "" {
		return errors.New("sync needs a git repository, and a folder of your own settings outside of it: set HOME or XDG_CONFIG_HOME")
	}
	unlock, err := lockSettings(file)
	if err != nil {
		return err
	}
	defer unlock()
	all, err := read(file)
	if err != nil {
		return err
	}
	if all.Repositories == nil {
		all.Repositories = map[string]Settings{}
	}
	if all.Declined == nil {
		all.Declined = map[string]bool{}
	}
	change(&all, clone)
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return exchange.Replace(file, append(data, '\n'))
}

// settingsTimeout is the timeout for another process to save its settings.
const settingsTimeout = 10 * time.Second

// lockSettings prevents other processes of the user from saving. All clones
// share one file, so concurrent saves would lose changes.
func lockSettings(file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), settingsTimeout)
	defer cancel()
	l := flock.New(file + ".lock")
	if _, err := l.TryLockContext(ctx, lockRetry); err != nil {
		return nil, fmt.Errorf("another process writes your settings of sync: %w", err)
	}
	return func() { _ = l.Unlock() }, nil
}

// read reads the user's settings. A missing or empty file means no settings.
func read(file string) (all settings, err error) {
	data, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return all, nil
	case err != nil:
		return all, fmt.Errorf("your settings of sync cannot be read: %w", err)
	case len(data) > maxSettings:
		return all, fmt.Errorf("%s is larger than 1 MiB", file)
	case len(bytes.TrimSpace(data)) == 0:
		return all, nil
	}
	if err := json.Unmarshal(data, &all); err != nil {
		return all, fmt.Errorf("%s is no JSON: %w; mend it, or remove it and run idumb sync enable again", file, err)
	}
	return all, nil
}
