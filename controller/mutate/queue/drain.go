package queue

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/mutate"
	"github.com/idumb-dev/idumb/controller/mutate/acts"
	"github.com/idumb-dev/idumb/controller/mutate/queue/requests"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// File is the file to which writers append.
const File = requests.File

const (
	workDir     = requests.WorkDir
	rejectedDir = layout.QuarantineDir + "/queue" // rejected lines
)

// Limits, in bytes.
const (
	MaxLine = requests.MaxLine // a longer line is rejected and truncated
	maxFile = 64 << 20         // a larger file is rejected as a whole
)

// quietTime is how long a drained file is kept for writers that had it open when it
// was renamed.
const quietTime = 10 * time.Second

// Worker executes queued commands. It must be used by one goroutine, in the
// process that holds the controller's lease.
type Worker struct {
	Root layout.Root
	Repo mutate.Repo
	Acts []acts.Act // acts that lines may request
	Now  func() time.Time
	// Tell receives the result of each line; reason is "" if it was executed.
	Tell func(id, verb, reason string)
}

// Drain executes all queued commands. It returns the time after which to call
// it again even without new lines, or 0. It returns an error if a command
// cannot be executed now; the same line is retried first.
func (d *Worker) Drain(ctx context.Context) (again time.Duration, err error) {
	for {
		works, err := requests.WorkNumbers(d.Root)
		if err != nil {
			return 0, err
		}
		open := false
		for _, n := range works {
			done, err := d.file(ctx, n)
			if err != nil {
				return 0, err
			}
			open = open || !done
		}
		taken, err := d.take(works)
		if err != nil || !taken {
			if open {
				again = quietTime
			}
			return again, err
		}
	}
}

// take renames the file of the writers for draining. It returns false if there
// is none.
func (d *Worker) take(works []int) (bool, error) {
	info, err := os.Lstat(d.Root.Abs(File))
	if errors.Is(err, os.ErrNotExist) || err == nil && (!info.Mode().IsRegular() || info.Size() == 0) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	folder, err := d.Root.Make(workDir)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	n := 1
	if len(works) > 0 {
		n = works[len(works)-1] + 1
	}
	// An offset file of that number may remain from an earlier file.
	if err := d.Root.Remove(requests.OffsetFile(n)); err != nil {
		return false, err
	}
	return true, os.Rename(d.Root.Abs(File), d.Root.Abs(requests.WorkFile(n)))
}

// file continues with one file. It reports whether the file is finished.
func (d *Worker) file(ctx context.Context, n int) (done bool, err error) {
	data, info, err := d.Root.Read(requests.WorkFile(n), maxFile)
	if errors.Is(err, store.ErrUnreadable) {
		return d.rejectFile(n, err)
	}
	if err != nil {
		return false, err
	}
	at := requests.Offset(d.Root, n, data)
	for at < len(data) {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		length := bytes.IndexByte(data[at:], '\n')
		if settled := d.Now().Sub(info.ModTime) >= quietTime; length < 0 && !settled {
			return false, nil // the line is being written
		}
		if length < 0 {
			length = len(data) - at
		}
		if err := d.line(ctx, at, data[at:at+length]); err != nil {
			return false, err
		}
		at = min(at+length+1, len(data))
		if err := d.Root.Replace(requests.OffsetFile(n), strconv.AppendInt(nil, int64(at), 10)); err != nil {
			return false, err
		}
	}
	if d.Now().Sub(info.ModTime) < quietTime {
		return false, nil
	}
	return true, errors.Join(d.Root.Remove(requests.WorkFile(n)), d.Root.Remove(requests.OffsetFile(n)))
}

// line executes or rejects one line. An error means that the line must be
// retried.
func (d *Worker) line(ctx context.Context, at int, line []byte) error {
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	if len(line) > MaxLine {
		return d.reject(at, line[:MaxLine], Command{}, fmt.Sprintf("the line is longer than %d bytes", MaxLine))
	}
	c, err := Parse(line)
	if err == nil {
		err = forged(d.Root, c)
	}
	if err == nil {
		err = run(ctx, d.Repo, d.Acts, c)
	}
	switch {
	case err == nil:
		d.report(c, "")
		return nil
	case isFinal(err):
		return d.reject(at, line, c, err.Error())
	}
	return fmt.Errorf("queued command %s: %w", c.ID, err)
}

// isFinal reports whether a command fails at each attempt: the error concerns the
// command rather than the machine or the moment.
func isFinal(err error) bool {
	var bad badLine
	var refusal *apierrors.Refusal
	var problem resources.Problem
	var status *apierrors.Status
	return errors.As(err, &bad) || errors.As(err, &refusal) || errors.As(err, &problem) || errors.As(err, &status) && !mutate.IsConflict(err)
}

// rejected is the file of a rejected line.
type rejected struct {
	ID     string         `json:"id,omitempty"`
	Verb   string         `json:"verb,omitempty"`
	Reason string         `json:"reason"`
	Since  resources.Time `json:"since"`
	Line   string         `json:"line"`
	Remedy string         `json:"remedy"`
}

// reject stores a rejected line with its reason. The file name depends on the
// line and its position, so that a line is stored once even if the controller
// dies in between.
func (d *Worker) reject(at int, line []byte, c Command, reason string) error {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d\x00%s", at, line))
	name := hex.EncodeToString(sum[:6]) + ".json"
	if len(c.ID) <= 100 && resources.CheckName(c.ID) == nil {
		name = c.ID + "-" + name
	}
	data, err := json.MarshalIndent(rejected{
		ID: c.ID, Verb: c.Verb, Reason: reason, Since: resources.NewTime(d.Now()), Line: strings.ToValidUTF8(string(line), "\ufffd"),
		Remedy: "append the command again, mended and with a new id, and remove this file",
	}, "", "  ")
	if err != nil {
		return err
	}
	d.report(c, reason)
	return d.Root.Replace(path.Join(rejectedDir, name), append(data, '\n'))
}

// rejectFile moves a queue file that cannot be read to the rejected lines.
func (d *Worker) rejectFile(n int, why error) (bool, error) {
	folder, err := d.Root.Make(rejectedDir)
	if err != nil {
		return false, err
	}
	defer folder.Close()
	d.report(Command{}, "the queue cannot be read: "+why.Error())
	return true, os.Rename(d.Root.Abs(requests.WorkFile(n)), d.Root.Abs(path.Join(rejectedDir, strconv.FormatInt(d.Now().UnixMilli(), 10)+".jsonl")))
}

// report reports the result of a command to the caller and to the hook of its
// call.
func (d *Worker) report(c Command, reason string) {
	requests.RecordOutcome(d.Root, requests.Outcome{ID: c.ID, Wish: c.String(), Reason: reason, Queued: c.Time})
	if d.Tell != nil {
		d.Tell(c.ID, c.Verb, reason)
	}
}
