// Package reconcilers holds what the controller does with objects: one loop for
// each concern, listed once in All. Each is a pure function (in package resources,
// shared with the commands and the hook) and the few lines here that say when it
// has to be computed again, and write the difference.
//
// What a status is computed from decides what has to be looked at when something
// changes. That mapping, in each loop's keys function, is kept narrow: the change
// of one task touches that task, the tasks that wait for it and its plan, however
// many tasks there are.
package reconcilers

import "github.com/idumb-dev/idumb/controller"

// All returns the table of reconcilers for one manager. Call it once for each: the
// loops keep what they have seen between them.
func All() []controller.Registration {
	return []controller.Registration{
		taskLoop(),
		planLoop(),
		chainLoop(),
		anchorLoop(),
		memLoop(),
		sessionLoop(),
		trajectoryLoop(),
		observeLoop(),
		contextLoop(),
	}
}
