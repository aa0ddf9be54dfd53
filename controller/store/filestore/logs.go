package filestore

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// logTail is the number of bytes at the end of a log that identify it.
const logTail = 4 << 10

// logRevision returns the revision of a log whose bytes from start to the end
// are data: its identity and the state of its file. The identity is the size,
// the inode and the hash of the last bytes; the size is 0 if a reader cannot
// continue at the end.
func logRevision(start int64, data []byte, info layout.Info) string {
	size := start + int64(len(data))
	if size > layout.MaxLog || len(data) == 0 || data[len(data)-1] != '\n' {
		size = 0
	}
	return fmt.Sprintf("%s %d %d %d %d", logIdentity(size, data, info), info.Size, info.ModTime.UnixNano(), info.Changed, info.Mode)
}

// logIdentity returns the identity of a log of that size that ends with data.
func logIdentity(size int64, data []byte, info layout.Info) string {
	return fmt.Sprintf("%d %d %s", size, info.Inode, resources.Revision(data[max(0, len(data)-logTail):]))
}

// ReadLog reads a log, or what was appended to it since the revision rev. A log
// was only appended to if it is the same file, it grew, and the last bytes
// before the old end are unchanged. See store.LogReader.
func (s *Store) ReadLog(ctx context.Context, task, rev string) (store.Record, bool, error) {
	key := resources.Key{Kind: resources.CheckpointsKind, Name: task}
	if err := errors.Join(ctx.Err(), checkKey(key)); err != nil {
		return store.Record{Key: key}, false, err
	}
	f := s.openKindDirs(key.Kind, false)
	defer f.close()
	before, _, _ := strings.Cut(rev, " ")
	if size, _ := strconv.ParseInt(before, 10, 64); size > 0 && f.err == nil {
		start := max(0, size-logTail)
		seen := int(size - start)
		data, info, err := f.specs.ReadLogFrom(path.Base(layout.Path(key)), start)
		if err == nil && len(data) >= seen && info.Size <= layout.MaxLog && strings.HasPrefix(rev, logIdentity(size, data[:seen], info)+" ") {
			if now := logRevision(start, data, info); len(data) > seen || now == rev {
				return store.Record{Key: key, Spec: data[seen:], Rev: now, ModTime: info.ModTime}, true, nil
			}
		}
	}
	record, err := f.get(key)
	return record, false, err
}
