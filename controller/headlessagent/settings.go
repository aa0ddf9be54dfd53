package headlessagent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
)

// Settings is the user's permission: "research" in the user's config.json.
type Settings struct {
	Hosts   []string `json:"hosts"`   // allowed hosts, the default first
	PerDay  int      `json:"perDay"`  // maximum number of children per day, in all repositories
	Timeout string   `json:"timeout"` // timeout of a child; default 10m
}

const (
	settingsFile   = "config.json"
	countFile      = "research.json" // in the same directory; agents cannot write either file
	maxSettings    = 1 << 20
	defaultTimeout = 10 * time.Minute
)

// Allowed reads the user's settings from their directory (trust.UserDir).
// The error says what to write into which file.
func Allowed(folder string) (Settings, error) {
	if folder == "" {
		return Settings{}, errors.New("research is off, and there is no folder of your own settings outside of the repository: set HOME or XDG_CONFIG_HOME")
	}
	file := filepath.Join(folder, settingsFile)
	data, err := os.ReadFile(file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return Settings{}, fmt.Errorf("research is off: your settings cannot be read: %w", err)
	}
	var all struct{ Research Settings }
	if len(data) > maxSettings {
		return Settings{}, fmt.Errorf("research is off: %s is larger than 1 MiB", file)
	}
	if err := json.Unmarshal(data, &all); err != nil && len(bytes.TrimSpace(data)) > 0 {
		return Settings{}, fmt.Errorf("research is off: %s is no JSON: %w", file, err)
	}
	s := all.Research
	if len(s.Hosts) == 0 || s.PerDay <= 0 {
		return s, fmt.Errorf(`research is off, because it costs money; a user allows it with {"research": {"hosts": ["claude"], "perDay": 5}} in %s`, file)
	}
	if _, err := s.timeout(); err != nil {
		return s, fmt.Errorf("research.timeout in %s: %w; write it as 10m", file, err)
	}
	return s, nil
}

// timeout returns the time limit of a child, or an error for an invalid
// setting.
func (s Settings) timeout() (time.Duration, error) {
	if s.Timeout == "" {
		return defaultTimeout, nil
	}
	d, err := time.ParseDuration(s.Timeout)
	if err == nil && d <= 0 {
		err = fmt.Errorf("%s is no time to research in", s.Timeout)
	}
	return d, err
}

// Host returns the host with a name, or the first allowed one for "".
func (s Settings) Host(name string) (hosts.Host, error) {
	if name == "" {
		name = s.Hosts[0]
	}
	host, known := hosts.ByName(name)
	switch {
	case !known:
		return nil, fmt.Errorf("no host is called %q; there are %q", name, hosts.Names())
	case host.Headless().Program == "":
		return nil, fmt.Errorf("%s is not known to research under the hooks; claude is", name)
	case !slices.Contains(s.Hosts, name):
		return nil, fmt.Errorf("your research.hosts allow %q and not %q", s.Hosts, name)
	}
	return host, nil
}

// dailyCount is the number of children started on a day.
type dailyCount struct {
	Day     string `json:"day"`
	Started int    `json:"started"`
}

// withDailyLimit calls start if the daily limit is not reached, and counts the
// start. It serializes concurrent calls.
func withDailyLimit(folder string, perDay int, now time.Time, start func() error) error {
	file := filepath.Join(folder, countFile)
	lock := flock.New(file + ".lock")
	if err := lock.Lock(); err != nil {
		return fmt.Errorf("research cannot be counted, so none is started: %w", err)
	}
	defer lock.Unlock()
	var c dailyCount
	data, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("how much was researched today cannot be read; remove %s: %w", file, err)
	}
	if today := now.Format(time.DateOnly); c.Day != today {
		c = dailyCount{Day: today}
	}
	if c.Started >= perDay {
		return fmt.Errorf("%d of %d researchers were started today; raise research.perDay in %s, or try tomorrow", c.Started, perDay, filepath.Join(folder, settingsFile))
	}
	if err := start(); err != nil {
		return err
	}
	c.Started++
	if data, err = json.Marshal(c); err != nil {
		return err
	}
	return os.WriteFile(file, append(data, '\n'), 0o600)
}
