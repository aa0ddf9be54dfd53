package dash

import (
	"context"
	"fmt"
	"time"

	"github.com/gdamore/tcell/v3"
)

// lookTime is the time with focus that counts as a look.
const lookTime = 3 * time.Second

// Run shows the dashboard until the user quits or ctx is cancelled.
func Run(ctx context.Context, o Options) error {
	var options []tcell.TerminfoScreenOption
	if !o.Colour {
		options = append(options, tcell.OptColors(0))
	}
	screen, err := tcell.NewTerminfoScreen(options...)
	if err != nil {
		return err
	}
	if err := screen.Init(); err != nil {
		return err
	}
	defer screen.Fini()
	return run(ctx, screen, o)
}

// run shows the dashboard on a screen.
func run(ctx context.Context, screen tcell.Screen, o Options) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	screen.EnableMouse(tcell.MouseButtonEvents)
	screen.EnablePaste()
	screen.EnableFocus()
	l := &loop{model: newModel(ctx, o), canvas: canvas{screen, o.Unicode, o.Colour}, results: make(chan any, 16)}
	l.canvas.title("iDumb " + o.Repository)
	l.width, l.height = screen.Size()
	l.tick = time.NewTimer(untilMinute(o.Now()))
	defer l.tick.Stop()
	l.look = time.AfterFunc(lookTime, func() { o.Host.Looked(o.Now()) })
	defer l.look.Stop()
	l.draw()
	for !l.quit {
		if err := l.step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// loop is a running dashboard.
type loop struct {
	*model
	canvas  canvas
	results chan any
	tick    *time.Timer // updates the ages
	look    *time.Timer
	buttons tcell.ButtonMask // pressed mouse buttons
	pasting bool
}

// step waits for one event and shows its result.
func (l *loop) step(ctx context.Context) error {
	var effects []effect
	select {
	case <-ctx.Done():
		return ctx.Err()
	case s := <-l.States:
		effects = l.take(s)
	case v := <-l.results:
		effects = l.take(v)
	case <-l.tick.C:
		l.tick.Reset(untilMinute(l.Options.Now()))
	case ev, open := <-l.canvas.screen.EventQ():
		if !open {
			l.quit = true
			return nil
		}
		effects = l.handle(ev)
	}
	for _, e := range effects {
		go func() {
			select {
			case l.results <- recoverEffect(e):
			case <-ctx.Done():
			}
		}()
	}
	l.leave()
	l.draw()
	return nil
}

// recoverEffect runs an effect and converts a panic to an error, so that the terminal is restored.
func recoverEffect(e effect) (v any) {
	defer func() {
		if p := recover(); p != nil {
			v = done{verb: "idumb", err: fmt.Errorf("this broke, and is a bug: %v", p)}
		}
	}()
	return e()
}

// untilMinute returns the time until the ages change.
func untilMinute(now time.Time) time.Duration {
	return now.Truncate(time.Minute).Add(time.Minute).Sub(now)
}

// draw paints the model and shows the changes on the terminal.
func (l *loop) draw() {
	l.paint(l.canvas)
	l.canvas.screen.Show()
}

// handle processes an event of the terminal.
func (l *loop) handle(ev tcell.Event) []effect {
	switch ev := ev.(type) {
	case *tcell.EventResize:
		l.width, l.height = l.canvas.screen.Size()
		l.focusVisible()
		l.canvas.screen.Sync()
		return l.model.load(false)
	case *tcell.EventKey:
		if !ev.Pressed() {
			return nil
		}
		k := keyName(ev)
		if l.pasting && k == "enter" {
			k = " " // pasted text does not submit a line
		}
		if l.pasting && l.dialog == nil {
			return nil // pasted text does not run commands
		}
		return l.press(k)
	case *tcell.EventError:
		l.quit = true // the terminal was closed
	case *tcell.EventPaste:
		l.pasting = ev.Start()
	case *tcell.EventMouse:
		x, y := ev.Position()
		before := l.buttons
		l.buttons = ev.Buttons()
		switch {
		case l.buttons&tcell.WheelUp != 0:
			l.wheel(x, y, -3)
		case l.buttons&tcell.WheelDown != 0:
			l.wheel(x, y, 3)
		case l.buttons&tcell.Button1 != 0 && before&tcell.Button1 == 0:
			return l.click(x, y)
		}
		return nil
	case *tcell.EventFocus:
		l.look.Stop()
		if ev.Focused {
			l.look.Reset(lookTime)
		}
	}
	return nil
}

// leave passes the terminal to the editor or the shell for a while.
func (l *loop) leave() {
	shell := l.shell
	if shell == nil && l.suspend {
		shell = stop
	}
	l.shell, l.suspend = nil, false
	if shell == nil {
		return
	}
	if err := l.canvas.screen.Suspend(); err != nil {
		l.say(err.Error(), true)
		return
	}
	shell()
	if err := l.canvas.screen.Resume(); err != nil {
		l.say(err.Error(), true)
		l.quit = true
		return
	}
	l.width, l.height = l.canvas.screen.Size()
	l.focusVisible()
	l.canvas.screen.Sync()
}
