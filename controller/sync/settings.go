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

	"github.com/idumb-dev/idumb/controller/planned"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/sync/plans"
)

// EngineGit is the engine that every team has: its git remote. EngineEtcd is that of large teams.
const (
	EngineGit  = "git"
	EngineEtcd = "etcd"
)

// A person's settings say which clones share their claims, and by
// what (planned.SettingsFile): a repository that could say so would choose who is told of its plans.
const (
	maxSettings = 1 << 20
)

// Settings say how one clone shares its claims.
type Settings struct {
	Engine string `json:"engine"`           // EngineGit, EngineEtcd
	Remote string `json:"remote,omitempty"` // the URL that the person agreed to: of git
	Team   string `json:"team,omitempty"`   // of etcd
	Repo   string `json:"repo,omitempty"`   // of etcd: this repository in the team
	Clone  string `json:"clone"`            // names this clone among the team's: made by chance
	Plans  bool   `json:"state,omitempty"`  // its objects are shared as well
}

// Where says to people by what claims are shared.
func (s Settings) Where() string {
	if s.Engine == EngineEtcd {
		return "etcd, below /idumb/" + s.Team + "/" + s.Repo + "/"
	}
	return "refs/idumb/claims on " + s.Remote
}

// WherePlans says to people by what objects are shared, after Where.
func (s Settings) WherePlans() string {
	if s.Engine == EngineEtcd {
		return "the same etcd"
	}
	return "refs/idumb/state there"
}

// settings are those of all clones of a person, by git's common folder, and how they reach the etcd
// that they may name.
type settings struct {
	Etcd         *Server             `json:"etcd,omitempty"`
	Repositories map[string]Settings `json:"repositories"`
	Declined     map[string]bool     `json:"declined,omitempty"` // clones whose user works without the team's plans
}

// Load reads how a clone shares its claims; nil if it does not.
func Load(root layout.Root, getenv func(string) string) (*Settings, error) {
	file, clone := planned.Place(root, getenv)
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

// Save writes how a clone shares its claims; nil: it does not any more.
func Save(root layout.Root, getenv func(string) string, s *Settings) error {
	return revise(root, getenv, func(all *settings, clone string) {
		delete(all.Repositories, clone)
		if s != nil {
			all.Repositories[clone] = *s
			delete(all.Declined, clone)
		}
	})
}

// Decline records that the user of a clone works without the plans that the team shares.
func Decline(root layout.Root, getenv func(string) string) error {
	return revise(root, getenv, func(all *settings, clone string) { all.Declined[clone] = true })
}

// revise writes a person's settings after a change.
func revise(root layout.Root, getenv func(string) string, change func(all *settings, clone string)) error {
	file, clone := planned.Place(root, getenv)
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
	return plans.Replace(file, append(data, '\n'))
}

// settingsPatience is how long another process may take to save its settings.
const settingsPatience = 10 * time.Second

// lockSettings keeps other processes of the person from saving: all their clones are in one file, and
// two that save at once would lose what one of them said.
func lockSettings(file string) (unlock func(), err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), settingsPatience)
	defer cancel()
	l := flock.New(file + ".lock")
	if _, err := l.TryLockContext(ctx, lockAgain); err != nil {
		return nil, fmt.Errorf("another process writes your settings of sync: %w", err)
	}
	return func() { _ = l.Unlock() }, nil
}

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
