package resources

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestSetOff(t *testing.T) {
	stale := Figures{Working: true, Stale: true}
	for _, test := range []struct {
		name    string
		spec    TriggerSpec
		session SessionSpec
		figures Figures
		want    bool
	}{
		{"too few cancels", TriggerSpec{Event: TriggerCancel, Count: 3}, SessionSpec{}, Figures{Counters: SessionCounters{Cancels: 2}}, false},
		{"cancels", TriggerSpec{Event: TriggerCancel, Count: 3}, SessionSpec{}, Figures{Counters: SessionCounters{Cancels: 3}}, true},
		{"cancels, switched off", TriggerSpec{Event: TriggerCancel, Count: 3, Disabled: true}, SessionSpec{}, Figures{Counters: SessionCounters{Cancels: 3}}, false},
		{"one is the default", TriggerSpec{Event: TriggerCompaction}, SessionSpec{}, Figures{Counters: SessionCounters{Compactions: 1}}, true},
		{"no compaction", TriggerSpec{Event: TriggerCompaction}, SessionSpec{}, Figures{}, false},
		{"a stale task", TriggerSpec{Event: TriggerStale}, SessionSpec{}, stale, true},
		{"a task in good order", TriggerSpec{Event: TriggerStale}, SessionSpec{}, Figures{Working: true}, false},
		{"a broken chain", TriggerSpec{Event: TriggerChainBreak}, SessionSpec{}, Figures{Working: true, Broken: true}, true},
		{"a chain in good order", TriggerSpec{Event: TriggerChainBreak}, SessionSpec{}, stale, false},
		{"the hook saw it", TriggerSpec{Event: TriggerCall, Count: 9}, SessionSpec{Raised: []string{"x", "t"}}, Figures{}, true},
		{"the hook saw another one", TriggerSpec{Event: TriggerError}, SessionSpec{Raised: []string{"x"}}, Figures{}, false},
		{"exports are no session's", TriggerSpec{Event: TriggerExport}, SessionSpec{Raised: []string{"t"}}, stale, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			trigger := made[TriggerSpec, TriggerStatus](Triggers, "t", test.spec)
			assert.Equal(t, test.want, SetOff(trigger, newSession("s", test.session), test.figures))
		})
	}
}

func TestTriggersThatMakeNoSense(t *testing.T) {
	for _, test := range []struct {
		spec TriggerSpec
		want string // the field that is wrong; "" if none is
	}{
		{TriggerSpec{Event: TriggerCall, Count: 10, Window: "2m", Action: ActionHalt}, ""},
		{TriggerSpec{Event: TriggerExport, Count: 4, Action: ActionSynthesize}, ""},
		{TriggerSpec{Event: TriggerCancel, Action: ActionTighten}, ""},
		{TriggerSpec{Event: TriggerExport, Action: ActionWarn}, "spec.action"},
		{TriggerSpec{Event: TriggerCall, Action: ActionSynthesize}, "spec.action"},
		{TriggerSpec{Event: TriggerCancel, Action: ActionHalt}, "spec.action"},
		{TriggerSpec{Event: TriggerStale, Action: ActionTighten}, "spec.action"},
		{TriggerSpec{Event: TriggerChainBreak, Action: ActionTighten}, "spec.action"},
		{TriggerSpec{Event: TriggerStale, Action: ActionWarn, Window: "2m"}, "spec.window"},
		{TriggerSpec{Event: "sneeze", Action: ActionWarn}, "spec.event"},
		{TriggerSpec{Event: TriggerCall, Action: ActionWarn, Count: -1}, "spec.count"},
		{TriggerSpec{Action: ActionWarn}, "spec.event"},
	} {
		var fields []string
		for _, e := range Validate(made[TriggerSpec, TriggerStatus](Triggers, "t", test.spec)) {
			fields = append(fields, e.Field)
		}
		if test.want == "" {
			assert.Empty(t, fields, test.spec)
		} else {
			assert.Contains(t, fields, test.want, test.spec)
		}
	}
}
