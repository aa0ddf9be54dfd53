package reconcilers

import (
	"encoding/json"

	"github.com/idumb-dev/idumb/controller"
	"github.com/idumb-dev/idumb/resources"
)

// statusBefore decodes the status as last written; the zero status if there is
// none, or if someone wrote nonsense into the file.
func statusBefore[S any](seen controller.Revision) (status S) {
	if json.Unmarshal(seen.Status, &status) != nil {
		var none S
		return none
	}
	return status
}

// news is what an event says.
type news struct{ eventType, reason, message string }

func (n news) tell(c controller.Client, key resources.Key) {
	if n.reason != "" {
		c.Event(key, n.eventType, n.reason, "%s", n.message)
	}
}

// announce tells of a phase that is another one than before. A status that was not
// there before is no news, or every start with an empty folder would be a flood;
// nor is a file that broke or was repaired, of which the informer tells.
func announce(c controller.Client, key resources.Key, before, now string, say func(before, now string) news) {
	if _, broken := c.Problem(key); broken || before == "" || before == now || before == resources.PhaseInvalid {
		return
	}
	say(before, now).tell(c, key)
}

// turned tells of a condition that began to hold, or ceased to.
func turned(c controller.Client, key resources.Key, conditionType string, before, now []resources.Condition, ended news) {
	was, is := resources.IsTrue(before, conditionType), resources.FindCondition(now, conditionType)
	switch {
	case is != nil && !was:
		news{resources.Warning, conditionType, is.Message}.tell(c, key)
	case is == nil && was:
		ended.tell(c, key)
	}
}

func messageOf(conditions []resources.Condition, conditionType string) string {
	if c := resources.FindCondition(conditions, conditionType); c != nil {
		return c.Message
	}
	return ""
}
