package reconcilers

import (
	"bytes"
	"encoding/json"
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// taskBefore is statusBefore of a task, of what reconcileTask asks for: the phase, the times,
// and whether its chain is broken or it is stale. To decode the statuses of ten thousand
// tasks, most of which turn out to be as they were, would be a tenth of a start.
func taskBefore(data []byte) (status resources.TaskStatus) {
	if plain, ok := plainTask(data); ok {
		return plain
	}
	if json.Unmarshal(data, &status) != nil {
		return resources.TaskStatus{}
	}
	return status
}

// plainTask reads a status that is laid out as resources.EncodeStatus does it; false if it
// may be another one, or has a condition that somebody may have to be told of.
func plainTask(data []byte) (status resources.TaskStatus, ok bool) {
	for _, condition := range [...]string{resources.ChainBroken, resources.Stale} {
		if bytes.Contains(data, []byte(condition)) {
			return status, false
		}
	}
	phase, plain := plainField(data, "phase")
	started, plainStarted := plainTime(data, "startedAt")
	completed, plainCompleted := plainTime(data, "completedAt")
	status.Phase, status.StartedAt, status.CompletedAt = string(phase), started, completed
	return status, plain && plainStarted && plainCompleted
}

// plainField is the text of a field of the status itself; nil and true if there is none.
func plainField(data []byte, name string) (value []byte, ok bool) {
	if !bytes.Contains(data, []byte(name)) { // first, because a quote is where any other field begins as well
		return nil, true
	}
	_, rest, found := bytes.Cut(data, []byte("\n  \""+name+"\": \""))
	value, _, closed := bytes.Cut(rest, []byte(`"`))
	return value, found && closed && !bytes.Contains(value, []byte(`\`))
}

func plainTime(data []byte, name string) (resources.Time, bool) {
	text, ok := plainField(data, name)
	if text == nil || !ok {
		return resources.Time{}, ok
	}
	at, err := time.Parse(time.RFC3339, string(text))
	return resources.NewTime(at), err == nil
}
