package packer

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/resources"
)

// An anchor whose file has changed enters, marked; one that is stale in any other way does
// not.
func TestSuspectAnchorsAreMarked(t *testing.T) {
	kind, _ := resources.KindOf(resources.Anchors)
	anchor := func(name string, conditions ...resources.Condition) Anchor {
		a := kind.New().(*resources.Anchor)
		a.Metadata.Name, a.Metadata.CreationTimestamp = name, resources.NewTime(time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
		a.Spec = resources.AnchorSpec{Content: "the fact of " + name, Source: &resources.AnchorSource{File: "a.go"}}
		status := resources.AnchorStatus{Common: resources.Common{Phase: resources.StalePhase, Conditions: conditions}}
		return Anchor{Object: a, Status: status}
	}
	config := resources.DefaultConfig()
	pack := string(Build(Input{Day: time.Date(2026, 5, 2, 0, 0, 0, 0, time.UTC), Config: &config, Intent: "mend a.go", Anchors: []Anchor{
		anchor("changed", resources.Condition{Type: resources.Suspect, Status: resources.True}), anchor("old"),
	}}).Bytes)
	assert.Equal(t, 1, strings.Count(pack, "the fact of changed (a.go; check it: its file has changed; context; anchors/changed)"), pack)
	assert.NotContains(t, pack, "the fact of old")
}
