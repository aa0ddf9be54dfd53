package daemon

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/controller/store"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
)

// Status is what is known of the repository's controller.
type Status struct {
	Running   bool
	Holder    controller.Holder    // zero if none runs
	Heartbeat controller.Heartbeat // as last written, by one that may have ended
}

// Inspect looks at the lock and the heartbeat. The lock alone says whether a
// controller lives.
func Inspect(root string) (Status, error) {
	var s Status
	var err error
	s.Running = layout.Root(root).ControllerAlive()
	s.Heartbeat, err = controller.ReadHeartbeat(root)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return s, err
	}
	if s.Running {
		s.Holder, _ = controller.ReadHolder(root)
		s.Holder.PID = cmp.Or(s.Holder.PID, s.Heartbeat.PID)
	}
	return s, nil
}

// asError is that a controller runs, as an error; nil if none does.
func (s Status) asError() error {
	if !s.Running {
		return nil
	}
	return &controller.RunningError{Holder: s.Holder}
}

// Print writes the status for people.
func (s Status) Print(w io.Writer) error {
	if !s.Running {
		_, err := fmt.Fprintln(w, "no controller is running here; start one with \"idumb up\" or \"idumb controller start\"")
		return err
	}
	h := s.Heartbeat
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	fmt.Fprintf(t, "Running:\tpid %d, for %s\n", s.Holder.PID, time.Since(s.Holder.Since.Time).Round(time.Second))
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

func total(counts map[string]int) int {
	sum := 0
	for _, n := range counts {
		sum += n
	}
	return sum
}
