package filestore

import (
	"context"
	"errors"
	"path"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// Locate is the path of an object's file from the repository's root.
func (s *Store) Locate(key resources.Key) string { return s.root.Locate(key) }

// WriteContext replaces a file below .idumb/context. See store.ContextKeeper.
func (s *Store) WriteContext(ctx context.Context, name string, data []byte) error {
	if err := errors.Join(ctx.Err(), store.CheckContextName(name)); err != nil {
		return err
	}
	return s.root.Replace(layout.ContextPath(name), data)
}

// DeleteContext removes a file below .idumb/context; no error if there is none.
func (s *Store) DeleteContext(ctx context.Context, name string) error {
	if err := errors.Join(ctx.Err(), store.CheckContextName(name)); err != nil {
		return err
	}
	return s.root.Remove(layout.ContextPath(name))
}

// ListContext returns the names of the files in a folder below .idumb/context.
func (s *Store) ListContext(ctx context.Context, dir string) ([]string, error) {
	if err := errors.Join(ctx.Err(), store.CheckContextName(dir)); err != nil {
		return nil, err
	}
	names, err := s.root.Names(layout.ContextPath(dir))
	for i, name := range names {
		names[i] = path.Join(dir, name)
	}
	return names, err
}

// LastPack is layout.Root.LastPack.
func (s *Store) LastPack(session string) []byte {
	if store.CheckContextName(store.PackName(session)) != nil {
		return nil
	}
	return s.root.LastPack(session)
}

// TrimEvents removes the logs of the days before the one that oldest lies in.
func (s *Store) TrimEvents(ctx context.Context, oldest time.Time) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	names, err := s.root.Names(layout.EventsDir)
	first := path.Base(layout.EventPath(oldest))
	for _, name := range names {
		if isEventLog(name) && name < first {
			err = errors.Join(err, s.root.Remove(layout.EventsDir+"/"+name))
		}
	}
	return err
}

// isEventLog reports whether a file is called as the log of a day is.
func isEventLog(name string) bool {
	day, ok := strings.CutSuffix(name, ".jsonl")
	_, err := time.Parse(time.DateOnly, day)
	return ok && err == nil
}

// Heartbeat reads .idumb/run/controller.json.
func (s *Store) Heartbeat(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	data, _, err := s.root.Read(layout.ControllerFile, layout.MaxSpec)
	return data, err
}

// PutHeartbeat replaces .idumb/run/controller.json.
func (s *Store) PutHeartbeat(ctx context.Context, data []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.root.Replace(layout.ControllerFile, data)
}

// ReadSource looks at a file of the repository. See store.Repository.
func (s *Store) ReadSource(name string, before store.SourceFile) store.SourceFile {
	return s.root.ReadSource(name, before)
}

// Head is githistory.Head.
func (s *Store) Head() string { return githistory.Head(s.root) }

// HeadFiles is githistory.Files.
func (s *Store) HeadFiles() []string { return githistory.Files(s.root) }

// CommitDays is githistory.Days.
func (s *Store) CommitDays(ctx context.Context) []int { return githistory.Days(ctx, s.root) }
