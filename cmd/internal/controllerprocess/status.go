package controllerprocess

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/lifecycle/lease"
	"github.com/idumb-dev/idumb/controller/process"
	"github.com/idumb-dev/idumb/controller/serve"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/layout"
)

// Status is the status of the repository's controller.
type Status struct {
	Running   bool
	Holder    lease.Holder         // zero if no controller is running
	Heartbeat controller.Heartbeat // current heartbeat, or the last written one if no controller answers
	Silent    error                // why a running controller did not answer; nil if it did
}

// Inspect queries the controller for its status. The lock decides whether one is running: a
// controller that lost it may still answer for a moment. If a running controller does not answer,
// the status comes from files.
func Inspect(ctx context.Context, root string) (Status, error) {
	s := Status{Running: layout.Root(root).ControllerAlive()}
	if s.Running {
		if s = inquire(ctx, root); s.Silent == nil {
			return s, nil
		}
		s.Holder, _ = lease.ReadHolder(root)
	}
	var err error
	s.Heartbeat, err = readHeartbeat(root)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return s, err
	}
	return s, nil
}

// inquire queries the running controller over its socket for its status. If it does not answer
// within askTimeout, the status contains the error.
func inquire(ctx context.Context, root string) Status {
	ctx, cancel := context.WithTimeout(ctx, askTimeout)
	defer cancel()
	client, err := serve.Dial(ctx, layout.Root(root))
	if err != nil {
		return Status{Running: true, Silent: err}
	}
	defer client.Close()
	return ask(ctx, client)
}

// ask queries a controller for its identity and status. The process ID comes from the system, or
// from the answer if the system does not know it.
func ask(ctx context.Context, client *serve.Client) Status {
	s := Status{Running: true}
	var v serve.Version
	s.Silent = client.Ask(ctx, http.MethodGet, "/version", &v)
	if s.Silent == nil {
		s.Silent = client.Ask(ctx, http.MethodGet, "/status", &s.Heartbeat)
	}
	s.Holder = lease.Holder{PID: v.PID, PIDNamespace: v.PIDNamespace, Since: v.Started, Version: v.Version}
	if pid := client.Peer().PID; pid != 0 {
		s.Holder.PID, s.Holder.PIDNamespace = pid, process.Namespace()
	}
	return s
}

// readHeartbeat returns the last heartbeat of the repository's controller. It returns
// store.ErrNotFound if no controller ever ran.
func readHeartbeat(root string) (controller.Heartbeat, error) {
	var h controller.Heartbeat
	data, _, err := layout.Root(root).Read(layout.ControllerFile, layout.MaxSpec)
	if err != nil {
		return h, err
	}
	if err := json.Unmarshal(data, &h); err != nil {
		return controller.Heartbeat{}, fmt.Errorf("%s: %w", layout.ControllerFile, err)
	}
	return h, nil
}

// lockedByOther reports whether no controller holds the lock, but a process that is not known.
func (s Status) lockedByOther() bool { return s.Silent != nil && s.Holder.Ended() }

// asError returns a *lease.RunningError if a controller is running, another error if an unknown
// process holds its lock, otherwise nil.
func (s Status) asError() error {
	if !s.Running {
		return nil
	}
	if s.lockedByOther() {
		return fmt.Errorf("%s is locked by an unknown process, and no controller answers%s; stop the process (\"fuser %[1]s\" finds it), then run \"idumb controller start\"",
			layout.ControllerLock, causeText(s.Silent))
	}
	return &lease.RunningError{Holder: s.Holder}
}

// causeText formats an error with a leading colon. It is empty for a timeout.
func causeText(err error) string {
	var late interface{ Timeout() bool }
	if errors.As(err, &late) && late.Timeout() {
		return ""
	}
	return ": " + err.Error()
}

// Print writes the status as text.
func (s Status) Print(w io.Writer) error {
	if !s.Running {
		_, err := fmt.Fprintln(w, "no controller is running in this repository; start one with \"idumb up\" or \"idumb controller start\"")
		return err
	}
	if s.lockedByOther() {
		_, err := fmt.Fprintln(w, s.asError())
		return err
	}
	h := s.Heartbeat
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "Running:\t%s, for %s\n", s.Holder.Process(), time.Since(s.Holder.Since.Time).Round(time.Second))
	if s.Silent != nil {
		fmt.Fprintf(t, "Silent:\tthe controller does not answer%s; see \"idumb controller logs\"\n", causeText(s.Silent))
	}
	fmt.Fprintf(t, "Version:\t%s\n", cmp.Or(s.Holder.Version, "<unknown>"))
	fmt.Fprintf(t, "Objects:\t%d, %d invalid\n", total(h.Objects), h.Invalid)
	for _, kind := range slices.Sorted(maps.Keys(h.Objects)) {
		fmt.Fprintf(t, "  %s\t%d\n", kind, h.Objects[kind])
	}
	fmt.Fprintf(t, "Reconciles:\t%d, %d failed\n", h.Reconciles, h.Errors)
	for _, name := range slices.Sorted(maps.Keys(h.Queues)) {
		q := h.Queues[name]
		fmt.Fprintf(t, "  %s\t%d, %d failed, %d waiting\n", name, q.Reconciles, q.Errors, q.Waiting)
	}
	fmt.Fprintf(t, "As of:\t%s\n", h.Updated.Local().Format(time.DateTime))
	return t.Flush()
}

// total returns the sum of the counts.
func total(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}

// rotated is the log of a background controller with rotation by size. It is safe for concurrent
// use.
type rotated struct {
	root layout.Root

	mu   sync.Mutex
	file *os.File
	size int64
}

// backgroundLog returns a rotated log if w writes to the repository's log file, which is the
// standard output of a background controller. Otherwise it returns w.
func backgroundLog(root layout.Root, w io.Writer) io.Writer {
	file, ok := w.(*os.File)
	if !ok {
		return w
	}
	info, err := file.Stat()
	placed, placedErr := os.Lstat(root.Abs(logFile))
	if err != nil || placedErr != nil || !os.SameFile(info, placed) {
		return w
	}
	return &rotated{root: root, file: file, size: info.Size()}
}

// Write appends to the log. It rotates the log if it is too long, and redirects the output of
// crashes to the new file.
func (r *rotated) Write(line []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.size > layout.MaxControllerLog {
		if next, err := r.root.OpenControllerLog(); err == nil { // otherwise continue with this file
			_ = debug.SetCrashOutput(next, debug.CrashOptions{})
			r.file.Close()
			r.file, r.size = next, 0
		}
	}
	n, err := r.file.Write(line)
	r.size += int64(n)
	return n, err
}
