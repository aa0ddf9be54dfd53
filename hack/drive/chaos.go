package drive

import (
	"fmt"
	"math/rand/v2"
)

// Chaos is what happens to the controller of a repository while others work: it is killed, it
// hangs and goes on, it is asked to end, and started again, two at once now and then. One
// goroutine uses it.
type Chaos struct {
	repo       *Repo
	random     *rand.Rand
	controller *Controller // nil: none runs
	hangs      bool

	killed, ended, hung, started, pairs int // how often
}

// NewChaos begins with a running controller.
func NewChaos(repo *Repo, seed uint64) (*Chaos, error) {
	c := &Chaos{repo: repo, random: rand.New(rand.NewPCG(seed, 2))}
	return c, c.Calm()
}

// Step does one of the things that can happen now, or nothing.
func (c *Chaos) Step() error {
	often := func(percent int) bool { return c.random.IntN(100) < percent }
	switch {
	case c.controller == nil:
		if often(50) {
			return c.Calm()
		}
	case c.hangs:
		if often(10) {
			c.Kill()
		} else if often(50) {
			return c.Calm()
		}
	case often(20):
		c.Kill()
	case often(30):
		c.hung, c.hangs = c.hung+1, true
		return c.controller.Hang()
	case often(15) && c.repo.Leads(): // else it may not know the signal yet
		c.ended++
		err := c.controller.Stop()
		c.controller = nil
		return err
	}
	return nil
}

// Calm sees to it that a controller runs.
func (c *Chaos) Calm() (err error) {
	switch {
	case c.hangs:
		c.hangs = false
		return c.controller.Continue()
	case c.controller != nil:
		return nil
	case c.random.IntN(4) == 0:
		c.pairs++
		c.controller, err = c.repo.StartControllers()
	default:
		c.controller, err = c.repo.StartController()
	}
	c.started++
	return err
}

// Kill ends the controller with SIGKILL, if there is one.
func (c *Chaos) Kill() {
	if c.controller != nil {
		c.controller.Kill()
		c.killed++
	}
	c.controller, c.hangs = nil, false
}

// Hangs reports whether the controller hangs: it may hold the lock of those who write.
func (c *Chaos) Hangs() bool { return c.hangs }

// Killed is how many controllers were killed.
func (c *Chaos) Killed() int { return c.killed }

// String tells what happened.
func (c *Chaos) String() string {
	return fmt.Sprintf("controllers: %d started, %d times two at once; %d killed, %d asked to end, %d hung", c.started, c.pairs, c.killed, c.ended, c.hung)
}
