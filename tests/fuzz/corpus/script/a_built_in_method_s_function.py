''.upper.__func__(range(3))
