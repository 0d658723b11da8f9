_C
