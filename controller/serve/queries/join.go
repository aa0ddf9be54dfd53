package queries

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// Join returns a copy of a computed status (a *TaskStatus, ...) with the
// transition times of the controller's last status file, where both agree. An
// unreadable or nil file is ignored.
func Join(computed any, file []byte) any {
	if computed == nil {
		return nil
	}
	joined := reflect.New(reflect.TypeOf(computed).Elem())
	joined.Elem().Set(reflect.ValueOf(computed).Elem())
	status := joined.Interface()
	common := resources.CommonOf(status)
	common.Conditions = slices.Clone(common.Conditions)
	slices.SortFunc(common.Conditions, func(a, b resources.Condition) int { return strings.Compare(a.Type, b.Type) })
	before := reflect.New(joined.Type().Elem()).Interface()
	if file != nil && json.Unmarshal(file, before) == nil {
		joinTimes(status, before)
	}
	return status
}

// joinTimes copies the times of unchanged conditions and of an unchanged phase.
func joinTimes(status, before any) {
	now, then := resources.CommonOf(status), resources.CommonOf(before)
	for i := range now.Conditions {
		c := &now.Conditions[i]
		if old := resources.FindCondition(then.Conditions, c.Type); old != nil && old.Status == c.Status {
			c.LastTransitionTime = old.LastTransitionTime
		}
	}
	if now.Phase != then.Phase {
		return
	}
	switch s := status.(type) {
	case *resources.TaskStatus:
		old := before.(*resources.TaskStatus)
		s.StartedAt, s.CompletedAt = or(s.StartedAt, old.StartedAt), or(s.CompletedAt, old.CompletedAt)
	case *resources.WorkPlanStatus:
		s.PurgedAt = or(s.PurgedAt, before.(*resources.WorkPlanStatus).PurgedAt)
	case *resources.AnchorStatus:
		s.StaleSince = or(s.StaleSince, before.(*resources.AnchorStatus).StaleSince)
	}
}

// or returns t, or otherwise if t is zero.
func or(t, otherwise resources.Time) resources.Time {
	if t.IsZero() {
		return otherwise
	}
	return t
}
