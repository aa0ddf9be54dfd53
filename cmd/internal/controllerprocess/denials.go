package controllerprocess

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"sync"
	"time"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
)

// denials prints denied calls when the gate records them. It reads new entries of the log after
// each hook.
type denials struct {
	root  layout.Root
	lines *lines

	mu     sync.Mutex
	log    string // path of the day's log
	offset int64  // number of bytes read
}

// newDenials starts at the current end of the log.
func newDenials(root layout.Root, l *lines, now time.Time) *denials {
	d := &denials{root: root, lines: l, log: layout.EventPath(now)}
	if info, err := os.Stat(root.Abs(d.log)); err == nil {
		d.offset = info.Size()
	}
	return d
}

// tell prints the new entries, one line each.
func (d *denials) tell(now time.Time) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if log := layout.EventPath(now); log != d.log {
		d.log, d.offset = log, 0
	}
	info, err := os.Stat(d.root.Abs(d.log))
	if err != nil || info.Size() <= d.offset {
		return
	}
	f, err := os.Open(d.root.Abs(d.log))
	if err != nil {
		return
	}
	defer f.Close()
	data, err := io.ReadAll(io.NewSectionReader(f, d.offset, info.Size()-d.offset))
	if err != nil {
		return
	}
	data = data[:bytes.LastIndexByte(data, '\n')+1]
	d.offset += int64(len(data))
	for line := range bytes.Lines(data) {
		var e resources.Event
		if json.Unmarshal(line, &e) == nil && e.Violation != nil && e.Verdict() != "" {
			d.lines.printf("%s by %s: %s: %s", e.Verdict(), e.From, e.Violation.Rule, e.Violation.Call)
		}
	}
}
