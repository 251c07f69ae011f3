package mutate

// EveryInput also compares the inputs of which package mutate claims that nothing changes.
func (o Options) EveryInput() Options {
	o.everyInput = true
	return o
}
