package status_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/idumb-dev/idumb/hack/graphtest"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/status"
)

func TestSetOff(t *testing.T) {
	stale := status.Figures{Working: true, Stale: true}
	for _, test := range []struct {
		name    string
		spec    resources.TriggerSpec
		session resources.SessionSpec
		figures status.Figures
		want    bool
	}{
		{"too few cancels", resources.TriggerSpec{Event: resources.TriggerCancel, Count: 3}, resources.SessionSpec{}, status.Figures{Counters: resources.SessionCounters{Cancels: 2}}, false},
		{"cancels", resources.TriggerSpec{Event: resources.TriggerCancel, Count: 3}, resources.SessionSpec{}, status.Figures{Counters: resources.SessionCounters{Cancels: 3}}, true},
		{"cancels, switched off", resources.TriggerSpec{Event: resources.TriggerCancel, Count: 3, Disabled: true}, resources.SessionSpec{}, status.Figures{Counters: resources.SessionCounters{Cancels: 3}}, false},
		{"one is the default", resources.TriggerSpec{Event: resources.TriggerCompaction}, resources.SessionSpec{}, status.Figures{Counters: resources.SessionCounters{Compactions: 1}}, true},
		{"no compaction", resources.TriggerSpec{Event: resources.TriggerCompaction}, resources.SessionSpec{}, status.Figures{}, false},
		{"a stale task", resources.TriggerSpec{Event: resources.TriggerStale}, resources.SessionSpec{}, stale, true},
		{"a task in good order", resources.TriggerSpec{Event: resources.TriggerStale}, resources.SessionSpec{}, status.Figures{Working: true}, false},
		{"a broken chain", resources.TriggerSpec{Event: resources.TriggerChainBreak}, resources.SessionSpec{}, status.Figures{Working: true, Broken: true}, true},
		{"a chain in good order", resources.TriggerSpec{Event: resources.TriggerChainBreak}, resources.SessionSpec{}, stale, false},
		{"the hook saw it", resources.TriggerSpec{Event: resources.TriggerCall, Count: 9}, resources.SessionSpec{Raised: []string{"x", "t"}}, status.Figures{}, true},
		{"the hook saw another one", resources.TriggerSpec{Event: resources.TriggerError}, resources.SessionSpec{Raised: []string{"x"}}, status.Figures{}, false},
		{"exports are no session's", resources.TriggerSpec{Event: resources.TriggerExport}, resources.SessionSpec{Raised: []string{"t"}}, stale, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			trigger := graphtest.NewObject[resources.TriggerSpec, resources.TriggerStatus](resources.Triggers, "t", test.spec)
			assert.Equal(t, test.want, status.SetOff(trigger, graphtest.Session("s", test.session), test.figures))
		})
	}
}

func TestTriggersThatMakeNoSense(t *testing.T) {
	for _, test := range []struct {
		spec resources.TriggerSpec
		want string // the field that is wrong; "" if none is
	}{
		{resources.TriggerSpec{Event: resources.TriggerCall, Count: 10, Window: "2m", Action: resources.ActionHalt}, ""},
		{resources.TriggerSpec{Event: resources.TriggerExport, Count: 4, Action: resources.ActionSynthesize}, ""},
		{resources.TriggerSpec{Event: resources.TriggerCancel, Action: resources.ActionTighten}, ""},
		{resources.TriggerSpec{Event: resources.TriggerExport, Action: resources.ActionWarn}, "spec.action"},
		{resources.TriggerSpec{Event: resources.TriggerCall, Action: resources.ActionSynthesize}, "spec.action"},
		{resources.TriggerSpec{Event: resources.TriggerCancel, Action: resources.ActionHalt}, "spec.action"},
		{resources.TriggerSpec{Event: resources.TriggerStale, Action: resources.ActionTighten}, "spec.action"},
		{resources.TriggerSpec{Event: resources.TriggerChainBreak, Action: resources.ActionTighten}, "spec.action"},
		{resources.TriggerSpec{Event: resources.TriggerStale, Action: resources.ActionWarn, Window: "2m"}, "spec.window"},
		{resources.TriggerSpec{Event: resources.TriggerCalls, Count: 200, Action: resources.ActionHalt}, ""},
		{resources.TriggerSpec{Event: resources.TriggerMinutes, Action: resources.ActionHalt}, "spec.count"},
		{resources.TriggerSpec{Event: resources.TriggerWrites, Count: 9, Action: resources.ActionWarn, Window: "2m"}, "spec.window"},
		{resources.TriggerSpec{Event: "sneeze", Action: resources.ActionWarn}, "spec.event"},
		{resources.TriggerSpec{Event: resources.TriggerCall, Action: resources.ActionWarn, Count: -1}, "spec.count"},
		{resources.TriggerSpec{Action: resources.ActionWarn}, "spec.event"},
	} {
		var fields []string
		for _, e := range resources.Validate(graphtest.NewObject[resources.TriggerSpec, resources.TriggerStatus](resources.Triggers, "t", test.spec)) {
			fields = append(fields, e.Field)
		}
		if test.want == "" {
			assert.Empty(t, fields, test.spec)
		} else {
			assert.Contains(t, fields, test.want, test.spec)
		}
	}
}
