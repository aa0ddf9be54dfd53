package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
)

func TestConditions(t *testing.T) {
	kind, _ := resources.KindOf(resources.Tasks)
	task := kind.New().(*resources.Task)
	task.Metadata.Name, task.Spec.DependsOn = "api", []string{"a", "b"}
	e := &queries.Entry{Key: task.Key(), Object: task, Status: &resources.TaskStatus{Common: resources.Common{
		Phase: "blocked", Conditions: []resources.Condition{{Type: "Ready", Status: "False"}, {Type: "Blocked", Status: "True"}},
	}}}
	for _, tt := range []struct {
		in      string
		want    bool // of the task above
		missing bool // of an object that does not exist
	}{
		{"condition=Ready", false, false},
		{"condition=Ready=False", true, false},
		{"condition=ready=false", true, false},
		{"condition=Blocked", true, false},
		{"condition=Orphaned", false, false},
		{"condition=Orphaned=False", true, false}, // abnormal conditions are there only while they hold
		{"condition=Valid", true, false},
		{"phase=blocked", true, false},
		{"phase=active", false, false},
		{"delete", false, true},
		{"create", true, false},
		{"jsonpath={.status.phase}=blocked", true, false},
		{"jsonpath={.status.phase}=active", false, false},
		{"jsonpath=.status.phase=blocked", true, false},
		{"jsonpath={.spec.dependsOn[*]}=b", true, false},
		{`jsonpath={.status.conditions[?(@.type=="Ready")].status}=False`, true, false},
		{"jsonpath={.spec.dependsOn}", true, false},
		{"jsonpath={.spec.title}", false, false},
	} {
		c, err := parseCondition(tt.in)
		require.NoError(t, err, tt.in)
		assert.Equal(t, tt.want, c.IsMet(e), tt.in)
		assert.Equal(t, tt.missing, c.IsMet(nil), tt.in)
	}
	for _, bad := range []string{"", "Ready", "condition=Foo", "condition=Ready=Yes", "condition", "condition=", "delete=now", "jsonpath=", "jsonpath={.a[}=x"} {
		_, err := parseCondition(bad)
		assert.Error(t, err, bad)
	}
}
